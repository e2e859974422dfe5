// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Counter} from "../src/Counter.sol";
import {vm} from "../test/Vm.sol";

contract Deploy {
    function run() external {
        vm.startBroadcast();
        new Counter().increment();
    }
}
