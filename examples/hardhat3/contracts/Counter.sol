// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

contract Counter {
    address public immutable owner = msg.sender;
    uint256 public number;

    event Incremented(address indexed by, uint256 number);

    error NotOwner(address caller);

    function increment() external {
        number += 1;
        emit Incremented(msg.sender, number);
    }

    function reset() external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        number = 0;
    }
}
