// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A token (ERC-20) with a symbol that turns the text behind it around.
contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public symbol;
    uint8 public constant decimals = 6;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    constructor(string memory symbol_, uint256 supply) payable {
        symbol = symbol_;
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
