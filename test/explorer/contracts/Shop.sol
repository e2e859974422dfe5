// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

error TooMuch(uint256 asked, uint256 left, string why);

/// What there is to be sold.
contract Stock {
    uint256 public left = 100;
    mapping(uint256 => uint256) private counted;

    function take(uint256 amount, string calldata note) external returns (uint256) {
        if (amount > left) revert TooMuch(amount, left, note);
        left -= amount;
        this.count(amount);
        return left;
    }

    function count(uint256 amount) external {
        counted[amount] += 1;
    }
}

/// What the explorer is shown: reads and writes of all kinds of types, events, and failures in every way there is.
contract Shop {
    struct Order {
        address to;
        uint256[] amounts;
        string note;
    }

    event Ordered(address indexed by, string indexed topic, uint256 amount, string note);

    address private constant CONSOLE = 0x000000000000000000636F6e736F6c652e6c6f67;

    Stock private immutable stock = new Stock();
    string public sign = "open";
    mapping(address => uint256) public bought;

    function echo(Order[] calldata orders, bytes4[2] calldata tags, int8 small)
        external
        pure
        returns (Order[] memory, bytes4[2] memory, int8)
    {
        return (orders, tags, small);
    }

    function buy(uint256 amount, string calldata note) external payable {
        say(note);
        if (amount > type(uint128).max) revert TooMuch(amount, left(), note);
        stock.take(amount, note);
        bought[msg.sender] += amount;
        emit Ordered(msg.sender, note, amount, note);
    }

    function fail(string calldata why) external view {
        require(left() == 0, why);
    }

    function divide(uint256 by) external view returns (uint256) {
        return left() / by;
    }

    function rename(string calldata to) external {
        sign = to;
    }

    function left() public view returns (uint256) {
        return stock.left();
    }

    function say(string memory text) private view {
        (bool ignored, ) = CONSOLE.staticcall(abi.encodeWithSignature("log(string)", text));
        ignored;
    }
}
