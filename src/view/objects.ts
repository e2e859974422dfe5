import type { Hexadecimal } from './formatting.ts';

/**
 * Block object: docs/interface.md#block-object. Fields that are always zero are listed with their size in bytes.
 * `baseFeePerGas` and `mixHash` are for clients that ask for them.
 */
export interface BlockObject {
  readonly number: Hexadecimal;
  readonly hash: Hexadecimal;
  readonly parentHash: Hexadecimal;
  /** Always zero, 8 bytes. */
  readonly nonce: Hexadecimal;
  /** Always zero, 32 bytes. */
  readonly sha3Uncles: Hexadecimal;
  /** Always zero, 256 bytes. */
  readonly logsBloom: Hexadecimal;
  readonly transactionsRoot: Hexadecimal;
  readonly stateRoot: Hexadecimal;
  /** Always zero, 32 bytes. */
  readonly receiptsRoot: Hexadecimal;
  readonly miner: Hexadecimal;
  readonly difficulty: Hexadecimal;
  readonly totalDifficulty: Hexadecimal;
  /** Always zero, 1 byte. */
  readonly extraData: Hexadecimal;
  /** Bytes of the serialized block. */
  readonly size: Hexadecimal;
  readonly gasUsed: Hexadecimal;
  readonly gasLimit: Hexadecimal;
  /** Always zero, as the BASEFEE opcode has it; web3 4 sends no transaction to a chain without this field. */
  readonly baseFeePerGas: Hexadecimal;
  /** The block's randomness, as the PREVRANDAO opcode has it. */
  readonly mixHash: Hexadecimal;
  /** Unix time in seconds. */
  readonly timestamp: Hexadecimal;
  /** All of them transaction objects, or all of them hashes. */
  readonly transactions: readonly TransactionObject[] | readonly Hexadecimal[];
  /** Always empty. */
  readonly uncles: readonly never[];
}

/** A block object without its transactions. */
export type HeaderObject = Omit<BlockObject, 'transactions'>;

/**
 * Transaction object: docs/interface.md#transaction-object. One native operation is one transaction here.
 */
export interface TransactionObject {
  /** Null while pending, as are number and time of the block and the index. */
  readonly blockHash: Hexadecimal | null;
  readonly blockNumber: Hexadecimal | null;
  readonly blockTimestamp: Hexadecimal | null;
  /** Always zero: a legacy transaction. */
  readonly type: Hexadecimal;
  readonly from: Hexadecimal;
  /** The ceiling of the fee. */
  readonly gas: Hexadecimal;
  readonly gasPrice: Hexadecimal;
  readonly hash: Hexadecimal;
  readonly input: Hexadecimal;
  readonly nonce: Hexadecimal;
  /** Null for a contract creation. */
  readonly to: Hexadecimal | null;
  readonly transactionIndex: Hexadecimal | null;
  readonly value: Hexadecimal;
  readonly v: Hexadecimal;
  readonly r: Hexadecimal;
  readonly s: Hexadecimal;
}

/** Transaction receipt: docs/interface.md#transaction-receipt, and beyond it `type` and `effectiveGasPrice`. */
export interface ReceiptObject {
  /** Always zero: a legacy transaction. */
  readonly type: Hexadecimal;
  readonly transactionHash: Hexadecimal;
  readonly transactionIndex: Hexadecimal;
  readonly blockHash: Hexadecimal;
  readonly blockNumber: Hexadecimal;
  readonly from: Hexadecimal;
  readonly to: Hexadecimal | null;
  readonly cumulativeGasUsed: Hexadecimal;
  /** The charge; equal to `cumulativeGasUsed`. */
  readonly gasUsed: Hexadecimal;
  /** Always 1. */
  readonly effectiveGasPrice: Hexadecimal;
  readonly contractAddress: Hexadecimal | null;
  readonly logs: readonly LogObject[];
  readonly logsBloom: Hexadecimal;
  /** `0x1` success, `0x0` failure. */
  readonly status: Hexadecimal;
}

/** Log object: docs/interface.md#log-object, and beyond it `blockTimestamp`. */
export interface LogObject {
  readonly removed: boolean;
  /** Position among all logs of the block. */
  readonly logIndex: Hexadecimal;
  readonly transactionIndex: Hexadecimal;
  readonly transactionHash: Hexadecimal;
  readonly blockHash: Hexadecimal;
  readonly blockNumber: Hexadecimal;
  readonly blockTimestamp: Hexadecimal;
  readonly address: Hexadecimal;
  readonly data: Hexadecimal;
  readonly topics: readonly Hexadecimal[];
}
