// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Does one thing very often, so that what is shown of it is long.
contract Flood {
    event Noise();

    mapping(uint256 => uint256) private stored;

    function log(uint256 count) external {
        bytes32 topic = Noise.selector;
        assembly {
            for {} count { count := sub(count, 1) } { log1(0, 0, topic) }
        }
    }

    function store(uint256 count) external {
        for (uint256 number = 0; number < count; number++) stored[number] = number + 1;
    }

    function say(uint256 count) external view {
        bytes memory line = abi.encodeWithSignature("log(uint256)", count);
        for (uint256 number = 0; number < count; number++) {
            (bool done, ) = 0x000000000000000000636F6e736F6c652e6c6f67.staticcall(line);
            done;
        }
    }
}
