// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What Hardhat's and Foundry's libraries do: the address that they call, and their selectors.
library console {
    address private constant CONSOLE = 0x000000000000000000636F6e736F6c652e6c6f67;

    function log(string memory text, uint256 value) internal view {
        (bool ignored, ) = CONSOLE.staticcall(abi.encodeWithSignature("log(string,uint256)", text, value));
        ignored;
    }
}

/// Refuses what it does not have.
contract Purse {
    error Insufficient(address owner, uint256 have, uint256 wanted);

    function take(uint256 amount) external view {
        console.log("asked for", amount);
        if (amount > 5) revert Insufficient(msg.sender, 5, amount);
    }
}

/// Asks it.
contract Shopper {
    Purse public immutable purse = new Purse();

    function buy(uint256 amount, string calldata what) external view returns (uint256) {
        console.log(what, amount);
        purse.take(amount);
        return amount;
    }
}
