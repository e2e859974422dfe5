// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Counter} from "../src/Counter.sol";
import {vm} from "./Vm.sol";

/// Runs on a copy of the node's chain (`--fork-url`), with the contract that the script deployed.
contract DeployedTest {
    function testContinuesFromTheDeployedState() external {
        Counter counter = Counter(vm.envAddress("COUNTER"));
        assert(counter.number() == 1);
        counter.increment();
        assert(counter.number() == 2);
    }
}
