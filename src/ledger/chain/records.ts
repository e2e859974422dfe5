import { UINT64_MAX } from '../../consensus.ts';
import type { AccountState, Log } from '../../evm/index.ts';
import {
  type AccountOptions,
  type Address,
  type Authority,
  accountOptionsCodec,
  addressCodec,
  atEnd,
  authorityCodec,
  type BlockId,
  ByteWriter,
  blockIdCodec,
  bool,
  type Codec,
  concatBytes,
  decode,
  encode,
  encodeAfter,
  FormatError,
  type Hash,
  hashCodec,
  int64,
  mapped,
  optional,
  type PublicKey,
  publicKeyCodec,
  type SignedBlockHeader,
  signedBlockHeaderCodec,
  string,
  struct,
  uint32,
  uint64,
  variableBytes,
  varint,
  vector,
} from '../../protocol/index.ts';
import type { StoreReader } from '../../store/index.ts';
import { natural } from './natural-codec.ts';

/** A registered account: the native object `1.2.N`. Its balance is part of the EVM state. */
export interface Account {
  readonly name: string;
  readonly active: Authority;
  readonly echorandKey: PublicKey;
  readonly evmAddress: Address | undefined;
  readonly options: AccountOptions;
}

/** The ledger's one record of properties that change with blocks. */
export interface DynamicProperties {
  /** The native chain id, so that a store knows which genesis it began with. */
  readonly chainId: Hash;
  /** Instance of the next registered account. */
  readonly nextAccount: number;
  readonly nextContract: number;
}

/** A block as stored, without its transactions. */
interface BlockRecord {
  readonly id: BlockId;
  readonly header: SignedBlockHeader;
  /** Length of the serialized block with its transactions, in bytes. */
  readonly size: number;
  readonly feesCollected: bigint;
  readonly operationCount: number;
}

/** A block without its transactions. */
export interface BlockSummary extends BlockRecord {
  readonly number: number;
  /** True for a block that is neither signed nor stored: its hash finds nothing. */
  readonly isPending?: true;
}

/** The receipt of an operation, as it is stored: docs/interface.md#transaction-receipt. */
export interface OperationReceipt {
  readonly status: 'success' | 'failure';
  /** Native units that the payer was charged; of a test call, the gas that it used, for which nobody is charged. */
  readonly gasUsed: bigint;
  readonly contractAddress: Address | undefined;
  readonly logs: readonly Log[];
  /** Position in the block of the first of `logs`. */
  readonly firstLogIndex: number;
  /** Revert data of a failure, else empty. */
  readonly output: Uint8Array;
}

/** An account's balance, nonce and code as they are stored. */
export interface AccountRecord {
  /** Whole units of the core asset, without their bits from the 64th on. */
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly codeHash: Hash | undefined;
  readonly rest?: BalanceRest | undefined;
}

/** The rest of a balance; absent for none, as always on chains without Ethereum. */
interface BalanceRest {
  /** Wei beyond the whole units. */
  readonly dust: bigint;
  /** The bits of the units from the 64th on. Only accounts of the remote chain of a fork have so much. */
  readonly excess?: bigint | undefined;
}

const restCodec: Codec<BalanceRest> = mapped(
  struct<BalanceRest>('balance_rest', { dust: uint64, excess: atEnd(natural(32)) }),
  (rest) => {
    if (rest.excess === 0n || (rest.dust === 0n && rest.excess === undefined))
      throw new FormatError('', 'must not be zero');
    return rest;
  },
  (rest) => rest,
);

export const accountRecordCodec: Codec<AccountRecord> = struct<AccountRecord>('account_state', {
  balance: uint64,
  nonce: uint64,
  codeHash: optional(hashCodec),
  rest: atEnd(restCodec),
});

/** Converts a stored account to the engine's form, whose balance is in wei. */
export function accountStateOf(record: Uint8Array, weiPerUnit: bigint): AccountState {
  const { balance, nonce, codeHash, rest } = decode(accountRecordCodec, record);
  if (weiPerUnit === 1n) return { balance, nonce, codeHash };
  if (rest === undefined) return { balance: balance * weiPerUnit, nonce, codeHash };
  const { dust, excess = 0n } = rest;
  return { balance: ((excess << UNIT_BITS) | balance) * weiPerUnit + dust, nonce, codeHash };
}

/** Converts an account of the engine to its stored form. */
export function accountRecordOf({ balance, nonce, codeHash }: AccountState, weiPerUnit: bigint): Uint8Array {
  if (weiPerUnit === 1n) return encode(accountRecordCodec, { balance, nonce, codeHash });
  const dust = balance % weiPerUnit;
  const units = balance / weiPerUnit;
  if (units <= UINT64_MAX) {
    const rest = dust === 0n ? undefined : { dust };
    return encode(accountRecordCodec, { balance: units, nonce, codeHash, rest });
  }
  const rest = { dust, excess: units >> UNIT_BITS };
  return encode(accountRecordCodec, { balance: units & UINT64_MAX, nonce, codeHash, rest });
}

const UNIT_BITS = 64n;

export const accountCodec: Codec<Account> = struct<Account>('account', {
  name: string,
  active: authorityCodec,
  echorandKey: publicKeyCodec,
  evmAddress: optional(addressCodec),
  options: accountOptionsCodec,
});

export const dynamicPropertiesCodec: Codec<DynamicProperties> = struct<DynamicProperties>(
  'dynamic_properties',
  {
    chainId: hashCodec,
    nextAccount: varint,
    nextContract: varint,
  },
);

const blockCountFields = { size: uint32, feesCollected: int64, operationCount: uint32 };

export const blockRecordCodec: Codec<BlockRecord> = struct<BlockRecord>('block_record', {
  id: blockIdCodec,
  header: signedBlockHeaderCodec,
  ...blockCountFields,
});

const blockCountsCodec = struct<Omit<BlockRecord, 'id' | 'header'>>('block_record', blockCountFields);

/** Encodes a block by `blockRecordCodec`, with the encoding of its signed header. */
export function encodeBlockRecord(block: BlockRecord, headerBytes: Uint8Array): Uint8Array {
  return encodeAfter(concatBytes(block.id, headerBytes), blockCountsCodec, block);
}

/** An event log of a receipt. */
export const logCodec: Codec<Log> = struct<Log>('log', {
  address: addressCodec,
  topics: vector(hashCodec),
  data: variableBytes,
});

export const statusCodec: Codec<OperationReceipt['status']> = mapped(
  bool,
  (success) => (success ? 'success' : 'failure'),
  (status) => status === 'success',
);

export const receiptCodec: Codec<OperationReceipt> = struct<OperationReceipt>('receipt', {
  status: statusCodec,
  gasUsed: uint64,
  contractAddress: optional(addressCodec),
  logs: vector(logCodec),
  firstLogIndex: varint,
  output: variableBytes,
});

/** Index in `vm_root` of the root of the state trie; empty on chains without it. */
const STATE_TRIE_INDEX = 1;

/** Returns the root of the state trie after a block from its header, in hexadecimal; empty without a trie. */
export function stateTrieRootOf({ vmRoot }: Pick<SignedBlockHeader, 'vmRoot'>): string {
  return vmRoot[STATE_TRIE_INDEX] ?? '';
}

/** Returns a block of a store, without its transactions; needs no open ledger. */
export function storedBlock(store: Pick<StoreReader, 'block'>, number: number): BlockSummary | undefined {
  const record = store.block(number);
  return record === undefined ? undefined : { number, ...decode(blockRecordCodec, record) };
}

/** Reads a block of a store, serialized as by `blockCodec`. */
export function serializedBlock(
  store: Pick<StoreReader, 'block' | 'transactionsOf'>,
  number: number,
): Uint8Array | undefined {
  const block = storedBlock(store, number);
  if (block === undefined) return undefined;
  return serializeBlock(encode(signedBlockHeaderCodec, block.header), [...store.transactionsOf(number)]);
}

/** Serializes a block in its native form, from the encoding of its signed header. */
export function serializeBlock(
  headerBytes: Uint8Array,
  transactions: readonly { readonly bytes: Uint8Array }[],
): Uint8Array {
  const writer = new ByteWriter();
  writer.writeBytes(headerBytes);
  writer.writeVarint(transactions.length);
  for (const { bytes } of transactions) writer.writeBytes(bytes);
  return writer.finish();
}
