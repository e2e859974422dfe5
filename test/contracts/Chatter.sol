// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Speaks to the console as Hardhat's console.sol does.
library console {
    address constant CONSOLE = 0x000000000000000000636F6e736F6c652e6c6f67;

    function send(bytes memory payload) private view {
        (bool ignored, ) = CONSOLE.staticcall(payload);
        ignored;
    }

    function log(string memory text) internal view {
        send(abi.encodeWithSignature("log(string)", text));
    }

    function log(string memory text, uint256 value) internal view {
        send(abi.encodeWithSignature("log(string,uint256)", text, value));
    }

    function log(address who, bool is_) internal view {
        send(abi.encodeWithSignature("log(address,bool)", who, is_));
    }

    function strange() internal view {
        send(hex"deadbeef01");
    }
}

contract Vault {
    error Insufficient(address owner, uint256 have, string note);

    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function take(uint256 amount, string calldata note) external view returns (uint256) {
        console.log("take %d, 100%%", amount);
        if (amount > 5) {
            revert Insufficient(owner, 5, note); // the line of the custom error
        }
        require(amount != 3, "three is too many"); // the line of the text
        return 10 / (amount - 1);
    }
}

contract Chatter {
    Vault public immutable vault;
    uint256 public count;

    constructor() {
        vault = new Vault(msg.sender);
    }

    function pass(uint256 amount, string calldata note) external returns (uint256) {
        console.log("passing on");
        console.log(msg.sender, true);
        count += 1;
        return vault.take(amount, note); // the line of the call
    }

    function strange() external {
        count += 1;
        console.strange();
    }

    function talk(uint256 times) external {
        count += 1;
        for (uint256 index = 0; index < times; index++) console.log("again", index);
    }

    function create(bool fails) external {
        new Broken(fails ? 7 : 0);
    }
}

contract Broken {
    constructor(uint256 code) {
        require(code == 0, "broken at birth");
    }
}
