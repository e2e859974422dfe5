import { fieldsOf, type Hex, hexOf, hexOrNone, listOf, numberOf, optional, quantityOf } from './reading.ts';
import { call } from './rpc.ts';

/** A block without its operations. */
export interface BlockHeader {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly producer: Hex;
  readonly gasUsed: bigint;
  readonly gasLimit: bigint;
  /** Wei; 0 on native chains. */
  readonly baseFee: bigint;
  /** Bytes. */
  readonly size: number;
  readonly stateRoot: Hex;
  readonly transactionsRoot: Hex;
  readonly random: Hex | undefined;
}

/** A block with the hashes of its operations. */
export interface Block extends BlockHeader {
  readonly hashes: readonly Hex[];
}

/** A signed permission to run the code of an account (EIP-7702). */
export interface Authorization {
  /** 0 for every chain. */
  readonly chainId: bigint;
  /** The account with the code; zero to remove a delegation. */
  readonly address: Hex;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** An operation as Ethereum's tools see it. */
export interface Transaction {
  readonly hash: Hex;
  /** Undefined while it waits. */
  readonly blockNumber: number | undefined;
  readonly index: number | undefined;
  /** Of its block: Unix time in seconds. */
  readonly timestamp: number | undefined;
  readonly from: Hex;
  readonly to: Hex | undefined;
  readonly value: bigint;
  readonly gas: bigint;
  readonly gasPrice: bigint;
  /** Maximum and tip of EIP-1559; undefined for other types. */
  readonly maxFee: bigint | undefined;
  readonly maxPriorityFee: bigint | undefined;
  readonly nonce: bigint;
  readonly input: Hex;
  /** The kind of an Ethereum transaction. */
  readonly type: number;
  /** Permissions of accounts to run the code of others (EIP-7702); none for other types. */
  readonly authorizations: readonly Authorization[];
  /** True if it has an Ethereum signature; native operations have zeros there. */
  readonly isSigned: boolean;
  /** Versioned hashes of its blobs; empty for other types than 3. */
  readonly blobs: readonly Hex[];
}

/** An event log of an operation. */
export interface Log {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
  readonly transactionHash: Hex;
  /** Position in the block. */
  readonly index: number;
  readonly timestamp: number | undefined;
}

/** The outcome of an operation. */
export interface Receipt {
  readonly hash: Hex;
  readonly isSuccess: boolean;
  readonly gasUsed: bigint;
  readonly gasPrice: bigint;
  /** Price of the blobs; 0 without them. */
  readonly blobFee: bigint;
  readonly contract: Hex | undefined;
  readonly logs: readonly Log[];
}

/** Reads a header, also one that a subscription brings. @throws ResponseError */
export function readHeader(value: unknown): BlockHeader {
  const fields = fieldsOf(value);
  return {
    number: numberOf(fields.number),
    hash: hexOf(fields.hash),
    parentHash: hexOf(fields.parentHash),
    timestamp: numberOf(fields.timestamp),
    producer: hexOf(fields.miner),
    gasUsed: quantityOf(fields.gasUsed),
    gasLimit: optional(fields.gasLimit, quantityOf) ?? 0n,
    baseFee: optional(fields.baseFeePerGas, quantityOf) ?? 0n,
    size: optional(fields.size, numberOf) ?? 0,
    stateRoot: hexOf(fields.stateRoot),
    transactionsRoot: hexOf(fields.transactionsRoot),
    random: hexOrNone(fields.mixHash),
  };
}

/** Reads a block with hashes. @throws ResponseError */
function readBlock(value: unknown): Block {
  return { ...readHeader(value), hashes: listOf(fieldsOf(value).transactions).map(hexOf) };
}

/** Reads an operation. @throws ResponseError */
export function readTransaction(value: unknown): Transaction {
  const fields = fieldsOf(value);
  return {
    hash: hexOf(fields.hash),
    blockNumber: optional(fields.blockNumber, numberOf),
    index: optional(fields.transactionIndex, numberOf),
    timestamp: optional(fields.blockTimestamp, numberOf),
    from: hexOf(fields.from),
    to: hexOrNone(fields.to),
    value: quantityOf(fields.value),
    gas: quantityOf(fields.gas),
    gasPrice: quantityOf(fields.gasPrice ?? fields.maxFeePerGas ?? 0),
    maxFee: optional(fields.maxFeePerGas, quantityOf),
    maxPriorityFee: optional(fields.maxPriorityFeePerGas, quantityOf),
    nonce: quantityOf(fields.nonce),
    input: hexOrNone(fields.input) ?? '0x',
    type: numberOf(fields.type ?? 0),
    authorizations: (optional(fields.authorizationList, listOf) ?? []).map(readAuthorization),
    isSigned: (optional(fields.r, quantityOf) ?? 0n) !== 0n,
    blobs: optional(fields.blobVersionedHashes, listOf)?.map(hexOf) ?? [],
  };
}

function readAuthorization(value: unknown): Authorization {
  const fields = fieldsOf(value);
  return {
    chainId: quantityOf(fields.chainId),
    address: hexOf(fields.address),
    nonce: quantityOf(fields.nonce),
    yParity: optional(fields.yParity, quantityOf) ?? 0n,
    r: optional(fields.r, quantityOf) ?? 0n,
    s: optional(fields.s, quantityOf) ?? 0n,
  };
}

/** Reads a log. @throws ResponseError */
function readLog(value: unknown): Log {
  const fields = fieldsOf(value);
  return {
    address: hexOf(fields.address),
    topics: listOf(fields.topics).map(hexOf),
    data: hexOrNone(fields.data) ?? '0x',
    blockNumber: numberOf(fields.blockNumber),
    transactionHash: hexOf(fields.transactionHash),
    index: numberOf(fields.logIndex),
    timestamp: optional(fields.blockTimestamp, numberOf),
  };
}

function readReceipt(value: unknown): Receipt {
  const fields = fieldsOf(value);
  return {
    hash: hexOf(fields.transactionHash),
    isSuccess: quantityOf(fields.status) === 1n,
    gasUsed: quantityOf(fields.gasUsed),
    gasPrice: optional(fields.effectiveGasPrice, quantityOf) ?? 1n,
    blobFee:
      (optional(fields.blobGasUsed, quantityOf) ?? 0n) * (optional(fields.blobGasPrice, quantityOf) ?? 0n),
    contract: hexOrNone(fields.contractAddress),
    logs: listOf(fields.logs).map(readLog),
  };
}

const quantity = (number: number): string => `0x${number.toString(16)}`;

/** The block of a number; undefined beyond the head. @throws as `call` */
export async function blockByNumber(number: number | 'latest' | 'pending'): Promise<Block | undefined> {
  const place = typeof number === 'string' ? number : quantity(number);
  return optional(await call('eth_getBlockByNumber', place, false), readBlock);
}

/** The block of a hash; undefined for none. @throws as `call` */
export async function blockByHash(hash: Hex): Promise<Block | undefined> {
  return optional(await call('eth_getBlockByHash', hash, false), readBlock);
}

/** The operation of a hash, in the form that it had while it waited or in the one that it got; undefined for none. */
export async function transactionOf(hash: Hex): Promise<Transaction | undefined> {
  return optional(await call('eth_getTransactionByHash', hash), readTransaction);
}

/** Returns the receipt of an operation; undefined while it is pending. */
export async function receiptOf(hash: Hex): Promise<Receipt | undefined> {
  return optional(await call('eth_getTransactionReceipt', hash), readReceipt);
}

/** Returns all that the sender of an operation paid beside its value. */
export function feeOf({ gasUsed, gasPrice, blobFee }: Receipt): bigint {
  return gasUsed * gasPrice + blobFee;
}

/** The number of the newest block. */
export async function headNumber(): Promise<number> {
  return numberOf(await call('eth_blockNumber'));
}

/** Returns the pending operations, also those that are queued behind a nonce or a fee. */
export async function pendingTransactions(): Promise<readonly Transaction[]> {
  const [pending, content] = await Promise.all([call('eth_pendingTransactions'), call('txpool_content')]);
  const queued = Object.values(fieldsOf(fieldsOf(content).queued)).flatMap((one) =>
    Object.values(fieldsOf(one)),
  );
  return [...listOf(pending), ...queued].map(readTransaction);
}

/** The logs of a contract in a range of blocks, both included. */
export async function logsOf(address: Hex, from: number, to: number): Promise<readonly Log[]> {
  const criteria = { address, fromBlock: quantity(from), toBlock: quantity(to) };
  return listOf(await call('eth_getLogs', criteria)).map(readLog);
}
