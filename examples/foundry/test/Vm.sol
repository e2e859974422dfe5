// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The cheat codes of forge that this project uses. forge-std has all of them.
interface Vm {
    function envAddress(string calldata name) external view returns (address);
    function expectRevert(bytes calldata revertData) external;
    function prank(address sender) external;
    function startBroadcast() external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
