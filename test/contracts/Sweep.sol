// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Slots to read and to write.
contract Slots {
    uint256[] private values;

    event Bumped(uint256 sum);

    constructor(uint256 count) {
        for (uint256 i = 0; i < count; i++) values.push(i + 1);
    }

    function sum(uint256 count) public view returns (uint256 total) {
        for (uint256 i = 0; i < count; i++) total += values[i];
    }

    function bump(uint256 count) external returns (uint256) {
        for (uint256 i = 0; i < count; i++) values[i] += 1;
        emit Bumped(sum(count));
        return sum(count);
    }
}

/// Touches the slots of many contracts in one call.
contract Sweep {
    function sum(Slots[] calldata all, uint256 count) external view returns (uint256 total) {
        for (uint256 i = 0; i < all.length; i++) total += all[i].sum(count);
    }

    function bump(Slots[] calldata all, uint256 count) external returns (uint256 total) {
        for (uint256 i = 0; i < all.length; i++) total += all[i].bump(count);
    }
}
