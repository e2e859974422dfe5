// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Counter, Factory} from "../src/Tools.sol";

interface Cheats {
    function startBroadcast() external;
    function stopBroadcast() external;
}

/// Deploys by all ways that forge knows: by transaction, by salt, and by a contract.
contract Deploy {
    // The address that forge gives its commands: the last 20 bytes of keccak256("hevm cheat code").
    Cheats private constant CHEATS = Cheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function run(bytes32 salt) external {
        CHEATS.startBroadcast();
        Counter counter = new Counter(40);
        counter.add(2);
        Counter salted = new Counter{salt: salt}(7);
        Factory factory = new Factory();
        Counter inner = factory.make(3);
        Counter innerSalted = factory.makeSalted(salt, 4);
        inner.add(1);
        CHEATS.stopBroadcast();
        require(counter.count() == 42 && inner.count() == 4, "counts of the simulation");
        require(address(salted) != address(innerSalted), "addresses of the simulation");
    }
}
