// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// An ordinary token: its deployer gets the whole supply.
contract Token is ERC20 {
    constructor(uint256 supply) ERC20("Token", "TKN") {
        _mint(msg.sender, supply);
    }
}

/// Transfers tokens again and again, each time to another account.
contract Payer {
    Token public immutable token = new Token(1e30);

    function run(uint256 count) external {
        for (uint256 i = 1; i <= count; i++) token.transfer(address(uint160(i)), 1e18);
    }
}

/// Hashes a counter again and again.
contract Hasher {
    function run(uint256 count) external pure returns (bytes32 hash) {
        for (uint256 i = 0; i < count; i++) hash = keccak256(abi.encodePacked(hash, i));
    }
}

contract Callee {
    function next(uint256 value) external pure returns (uint256) {
        return value + 1;
    }
}

/// Calls another contract again and again.
contract Caller {
    Callee public immutable callee = new Callee();

    function run(uint256 count) external view returns (uint256 value) {
        for (uint256 i = 0; i < count; i++) value = callee.next(value);
    }
}

interface IFactory {
    function createPair(address a, address b) external returns (address);
}

interface IPair {
    function mint(address to) external returns (uint256);
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
    function getReserves() external view returns (uint112, uint112, uint32);
    function token0() external view returns (address);
}

/// Swaps one token for another, to and fro, at a Uniswap v2 pair.
contract Swapper {
    Token public immutable first = new Token(1e30);
    Token public immutable second = new Token(1e30);
    IPair public pair;

    function open(IFactory factory) external {
        pair = IPair(factory.createPair(address(first), address(second)));
        first.transfer(address(pair), 1e24);
        second.transfer(address(pair), 1e24);
        pair.mint(address(this));
    }

    function run(uint256 count) external {
        bool isSorted = pair.token0() == address(first);
        for (uint256 i = 0; i < count; i++) {
            bool isToken0 = (i % 2 == 0) == isSorted;
            (uint112 reserve0, uint112 reserve1, ) = pair.getReserves();
            (i % 2 == 0 ? first : second).transfer(address(pair), 1e18);
            uint256 paid = 1e18 * 997;
            (uint256 have, uint256 want) = isToken0 ? (reserve0, reserve1) : (reserve1, reserve0);
            uint256 out = (paid * want) / (uint256(have) * 1000 + paid);
            pair.swap(isToken0 ? 0 : out, isToken0 ? out : 0, address(this), "");
        }
    }
}
