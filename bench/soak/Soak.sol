// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What a soak's transactions call: a token whose transfers may fail, and storage that grows.
contract Soak {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address => uint256) public balanceOf;
    mapping(uint256 => uint256) public words;

    /// Everybody begins with units enough; nobody has as many as the greatest number.
    function transfer(address to, uint256 value) external returns (bool) {
        require(value < 2 ** 128, "insufficient balance");
        unchecked {
            balanceOf[msg.sender] -= value;
            balanceOf[to] += value;
        }
        emit Transfer(msg.sender, to, value);
        return true;
    }

    /// Writes two words, of which the first is at a place of its own.
    function store(uint256 key, uint256 value) external {
        words[key] = value;
        words[0] = key;
    }
}

/// What a soak's transactions create.
contract Box {
    uint256 public content;

    constructor() {
        content = block.number;
    }

    function put(uint256 value) external {
        content = value;
    }
}
