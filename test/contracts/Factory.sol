// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

contract Child {
    uint256 public immutable number;

    constructor(uint256 given) payable {
        number = given;
    }
}

/// Creates contracts, in all the ways that a contract can.
contract Factory {
    event Created(address child);

    function create(uint256 number) public payable {
        emit Created(address(new Child{value: msg.value}(number)));
    }

    function createTwo(uint256 number) external {
        create(number);
        create(number + 1);
    }

    function createSalted(uint256 number, bytes32 salt) external {
        emit Created(address(new Child{salt: salt}(number)));
    }

    function createAndFail(uint256 number) external {
        create(number);
        revert("created in vain");
    }

    /// The first creation is taken back, the second stays.
    function createAfterFailure(uint256 number) external {
        try this.createAndFail(number) {} catch {
            create(number);
        }
    }
}
