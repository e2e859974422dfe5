// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Counter} from "../src/Counter.sol";
import {vm} from "./Vm.sol";

/// Runs in the EVM of forge.
contract CounterTest {
    Counter private counter;

    function setUp() external {
        counter = new Counter();
    }

    function testCounts() external {
        counter.increment();
        assert(counter.number() == 1);
    }

    function testOnlyTheOwnerResetsIt() external {
        vm.prank(address(1));
        vm.expectRevert(abi.encodeWithSelector(Counter.NotOwner.selector, address(1)));
        counter.reset();
    }
}
