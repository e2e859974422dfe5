// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Runs calls for the account that delegates to it (EIP-7702).
contract Batch {
  struct Call { address to; uint256 value; bytes data; }
  event Done(uint256 calls);
  function execute(Call[] calldata calls) external payable {
    require(msg.sender == address(this), "only the account itself");
    for (uint256 i = 0; i < calls.length; i++) {
      (bool success, ) = calls[i].to.call{value: calls[i].value}(calls[i].data);
      require(success, "a call failed");
    }
    emit Done(calls.length);
  }
  function ping() external pure returns (uint256) { return 7; }
  receive() external payable {}
}

/// Another contract to delegate to.
contract Other { function ping() external pure returns (uint256) { return 8; } }
