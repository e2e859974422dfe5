import type { Hexadecimal } from './formatting.ts';

/**
 * Block object: specification 2.2. Fields that are always zero are listed with their size in bytes.
 * `baseFeePerGas` is the one field beyond the specification.
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
  /** Unix time in seconds. */
  readonly timestamp: Hexadecimal;
  /** All of them transaction objects, or all of them hashes. */
  readonly transactions: readonly TransactionObject[] | readonly Hexadecimal[];
  /** Always empty. */
  readonly uncles: readonly never[];
}

/** Transaction object: specification 2.3. One native operation is one transaction here. */
export interface TransactionObject {
  /** Null while pending, as are the number of the block and the index. */
  readonly blockHash: Hexadecimal | null;
  readonly blockNumber: Hexadecimal | null;
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

/** Transaction receipt: specification 2.5. */
export interface ReceiptObject {
  readonly transactionHash: Hexadecimal;
  readonly transactionIndex: Hexadecimal;
  readonly blockHash: Hexadecimal;
  readonly blockNumber: Hexadecimal;
  readonly from: Hexadecimal;
  readonly to: Hexadecimal | null;
  readonly cumulativeGasUsed: Hexadecimal;
  /** The charge; equal to `cumulativeGasUsed`. */
  readonly gasUsed: Hexadecimal;
  readonly contractAddress: Hexadecimal | null;
  readonly logs: readonly LogObject[];
  readonly logsBloom: Hexadecimal;
  /** `0x1` success, `0x0` failure. */
  readonly status: Hexadecimal;
}

/** Log object: specification 2.6. */
export interface LogObject {
  readonly removed: boolean;
  /** Position among all logs of the block. */
  readonly logIndex: Hexadecimal;
  readonly transactionIndex: Hexadecimal;
  readonly transactionHash: Hexadecimal;
  readonly blockHash: Hexadecimal;
  readonly blockNumber: Hexadecimal;
  readonly address: Hexadecimal;
  readonly data: Hexadecimal;
  readonly topics: readonly Hexadecimal[];
}
