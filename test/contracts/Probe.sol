// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Shows what a contract sees of the ledger, and fails in every way there is.
contract Probe {
    event Noted(address indexed sender, uint256 indexed key, uint256 value);
    event Seen(
        uint256 timestamp,
        uint256 number,
        address coinbase,
        uint256 randomness,
        uint256 chainId,
        bytes32 parentHash,
        uint256 baseFee,
        uint256 gasPrice
    );

    error Refused(uint256 code, string reason);

    mapping(uint256 => uint256) public notes;

    function note(uint256 key, uint256 value) external payable {
        notes[key] = value;
        emit Noted(msg.sender, key, value);
    }

    /// Reports the block that the transaction is executed in.
    function see() external {
        emit Seen(
            block.timestamp,
            block.number,
            block.coinbase,
            block.prevrandao,
            block.chainid,
            blockhash(block.number - 1),
            block.basefee,
            tx.gasprice
        );
    }

    function timestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function surroundings()
        external
        view
        returns (uint256 chainId, uint256 baseFee, uint256 gasPrice, address coinbase)
    {
        return (block.chainid, block.basefee, tx.gasprice, block.coinbase);
    }

    function failWithReason(string calldata reason) external pure {
        revert(reason);
    }

    function failWithError(uint256 code, string calldata reason) external pure {
        revert Refused(code, reason);
    }

    /// Divides by zero when the divisor says so: Panic(0x12).
    function divide(uint256 dividend, uint256 divisor) external pure returns (uint256) {
        return dividend / divisor;
    }

    /// Writes and then fails: nothing of it may stay.
    function noteAndFail(uint256 key, uint256 value) external {
        notes[key] = value;
        emit Noted(msg.sender, key, value);
        revert("taken back");
    }
}
