// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What most tools deploy, write to and read events of.
contract Counter {
    address public owner;
    uint256 public count;

    event Changed(address indexed by, uint256 count);

    error Refused(uint256 code);

    constructor(uint256 start) payable {
        owner = msg.sender;
        count = start;
        emit Changed(msg.sender, start);
    }

    function add(uint256 amount) external returns (uint256) {
        count += amount;
        emit Changed(msg.sender, count);
        return count;
    }

    function refuse() external pure {
        revert Refused(7);
    }
}

/// Makes contracts itself, by both opcodes.
contract Factory {
    event Made(address child);

    function make(uint256 start) external returns (Counter child) {
        child = new Counter(start);
        emit Made(address(child));
    }

    function makeSalted(bytes32 salt, uint256 start) external returns (Counter child) {
        child = new Counter{salt: salt}(start);
        emit Made(address(child));
    }
}

/// Wraps ether as WETH9 does, with `transfer` and the gas that it gives.
contract WrappedEther {
    mapping(address => uint256) public balanceOf;

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        balanceOf[msg.sender] += msg.value;
    }

    function withdraw(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }

    function totalSupply() external view returns (uint256) {
        return address(this).balance;
    }
}

/// Takes exactly one ether, and forwards what it is told to.
contract Till {
    event Paid(address indexed by, uint256 value);

    function pay() external payable {
        require(msg.value == 1 ether, "not one ether");
        emit Paid(msg.sender, msg.value);
    }

    function take(address payable to, uint256 value) external payable {
        (bool done, ) = to.call{value: value}("");
        require(done, "not taken");
    }

    function prices() external view returns (uint256 gasPrice, uint256 baseFee, uint256 balance) {
        return (tx.gasprice, block.basefee, address(this).balance);
    }
}
