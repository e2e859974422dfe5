// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// An ordinary token: its deployer gets the whole supply.
contract Token is ERC20 {
    constructor(uint256 supply) ERC20("Token", "TKN") {
        _mint(msg.sender, supply);
    }
}

/// Computes without touching the state: arithmetic, memory and hashes.
contract Heavy {
    function run(uint256 rounds) external pure returns (uint256 value) {
        for (uint256 i = 0; i < rounds; i++) {
            unchecked {
                value = value * 6364136223846793005 + 1442695040888963407;
            }
            value ^= value >> 7;
            if (i % 16 == 0) value = uint256(keccak256(abi.encode(value, i)));
        }
    }
}

/// Writes logs.
contract Emitter {
    event Moved(bytes32 indexed mark, address indexed by, uint256 value);

    /// Ten logs: the first with one mark, the others with another.
    function emitTen(bytes32 first, bytes32 rest) external {
        emit Moved(first, msg.sender, 0);
        for (uint256 i = 1; i < 10; i++) emit Moved(rest, msg.sender, i);
    }
}
