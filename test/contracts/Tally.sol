// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Its storage tells which calls were executed, in which order and how often.
contract Tally {
    event Tallied(address indexed caller, bytes32 digest);

    /// Hash over the words of all calls in their order.
    bytes32 public digest;
    /// Calls that succeeded.
    uint256 public count;
    /// The same by caller.
    mapping(address => uint256) public callsOf;

    /// A word that is odd is refused, after everything was written.
    function add(bytes32 word) external payable {
        digest = keccak256(abi.encode(digest, word));
        count += 1;
        callsOf[msg.sender] += 1;
        emit Tallied(msg.sender, digest);
        require(uint256(word) % 2 == 0, "odd words are refused");
    }
}
