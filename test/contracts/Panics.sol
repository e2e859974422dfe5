// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./console.sol";

error TooSmall(uint256 x);

library Helper {
    function half(uint256 a, uint256 b) internal pure returns (uint256) {
        return a / b; // line of inLibrary
    }
}

contract Base {
    function check(uint256 x) external view {
        console.log("check", x);
        assert(x != 0); // line of check
    }
}

/// Each function fails at the line that names it, with consoles and other statements around it.
contract Panics is Base {
    enum Kind {
        One,
        Two
    }

    uint256[] internal list;
    uint256[3] internal fixedList;
    bytes internal text;
    function(uint256) internal returns (uint256) internal later;
    uint256 public total = 1;

    constructor(uint256 x) {
        console.log("created", x);
        // An encoding of no byte array.
        assembly {
            sstore(text.slot, 1)
        }
        total = 10 / x; // line of the creation
    }

    function overflow(uint256 x) external {
        console.log("overflow", x);
        total = total - x; // line of overflow
        total += 1;
    }

    function add(uint8 x) external {
        console.log(x);
        total += x + 250; // line of add
    }

    function multiply(uint256 x) external {
        uint256 y = x + 1;
        total = y * x; // line of multiply
    }

    function divide(uint256 x) external {
        console.log("divide", x);
        total = 100 / x; // line of divide
        total += 7;
    }

    function modulo(uint256 x) external {
        uint256 y = total;
        console.log("modulo");
        total = y % x; // line of modulo
    }

    function convert(uint256 x) external {
        console.log("convert");
        Kind kind = Kind(x); // line of convert
        total = uint256(kind);
    }

    function read() external returns (uint256) {
        console.log("read");
        total = 3;
        bytes memory copy = text; // line of read
        return copy.length;
    }

    function pop() external {
        console.log("pop");
        total = 3;
        list.pop(); // line of pop
    }

    function index(uint256 x) external {
        console.log("index");
        total = 3;
        total = fixedList[x]; // line of index
    }

    function indexMemory(uint256 x) external {
        uint256[] memory some = new uint256[](2);
        console.log("index");
        total = some[x]; // line of indexMemory
    }

    function indexCalldata(uint256[] calldata some, uint256 x) external {
        console.log("index");
        total = some[x]; // line of indexCalldata
    }

    function allocate(uint256 x) external {
        console.log("allocate");
        uint256[] memory some = new uint256[](x); // line of allocate
        total = some.length;
    }

    function callNothing(uint256 x) external {
        console.log("nothing");
        total = 3;
        total = later(x); // line of callNothing
    }

    function inLibrary(uint256 x) external {
        console.log("library");
        total = Helper.half(7, x);
    }

    function nested(uint256 x) external {
        console.log("nested");
        total = 1 + deep(x);
    }

    function deep(uint256 x) internal returns (uint256) {
        console.log("deep", x);
        total = 9;
        return 5 / x; // line of nested
    }

    function demand(uint256 x) external {
        console.log("demand");
        require(x > 5, "too small"); // line of demand
        total = x;
    }

    function refuse(uint256 x) external {
        console.log("refuse");
        if (x < 5) revert TooSmall(x); // line of refuse
        total = x;
    }

    function passOn(uint256 x) external {
        console.log("pass on");
        total = 2;
        this.demand(x); // line of passOn
    }
}
