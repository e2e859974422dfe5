// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// An ordinary token: its deployer gets the whole supply.
contract Token is ERC20 {
    constructor(string memory name, string memory symbol, uint256 supply) ERC20(name, symbol) {
        _mint(msg.sender, supply);
    }

    /// Fails with a text, as older tokens do.
    function requireBalance(address account, uint256 least) external view {
        require(balanceOf(account) >= least, "balance is too small");
    }
}
