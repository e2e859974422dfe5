import { WEI_PER_UNIT } from '../../consensus.ts';
import {
  accountAddress,
  ByteWriter,
  blockId,
  bytesToHex,
  decode,
  encode,
  equalBytes,
  LatticeAccumulator,
  merkleRoot,
  sha256,
  signedBlockHeaderCodec,
  ZERO_ADDRESS,
} from '../../protocol/index.ts';
import { type StateEntry, type StoreReader, stateKey } from '../../store/index.ts';
import { inSlices } from '../../time/job.ts';
import { storedGenesis } from '../blocks/genesis-block.ts';
import { accountStateOf, type BlockSummary, dynamicPropertiesCodec, storedBlock } from '../chain/records.ts';
import { ChainDamagedError, readStored } from '../errors/chain-errors.ts';
import type { Genesis } from '../genesis/genesis.ts';
import { chainIdOf } from '../genesis/genesis-codec.ts';
import { stateRulesOf } from '../genesis/genesis-rules.ts';
import { supplyIn, weiSupplyOf } from '../patches/commit-patch.ts';
import type { ForkBase } from '../state/fork-base.ts';
import { ROOT_DIGITS, stateRootOf } from '../state/native-state.ts';
import { verifyStateTrie } from './verify-state-trie.ts';

/** First byte of the keys of accounts' balances. */
const ACCOUNT_TABLE = stateKey.account(ZERO_ADDRESS)[0];

/** Progress and cancellation of a check. */
export interface CheckOptions {
  /** The state at the block of a fork; needed if the genesis names one. */
  readonly base?: ForkBase | undefined;
  /** Ends the check. */
  readonly stop?: AbortSignal | undefined;
  /** Called from time to time with the number of scanned entries. */
  onProgress?(entries: number): void;
}

/** The outcome of a scan of the state. */
export interface StateReport {
  /** Number of the block that the state is that of. */
  readonly head: number;
  /** Number of patches after that block, whose state root the block does not contain. */
  readonly patches: number;
  readonly entries: number;
  /** Root of the state in hexadecimal. */
  readonly root: string;
  /** The sum of all balances in native units. */
  readonly supply: bigint;
}

/**
 * Checks the newest state of a chain by a scan: its root must be that of the head and of the accumulator, its balances
 * must add up to those of the genesis and of patches, and the head must match its transactions, receipts and parent.
 * Another process may add blocks meanwhile.
 * @throws ChainDamagedError with the difference, as the store, and the signal's reason once it is aborted
 */
export async function verifyState(source: StoreReader, options: CheckOptions = {}): Promise<StateReport> {
  const genesis = storedGenesis(source);
  if (genesis === undefined) throw new ChainDamagedError('there is none');
  checkChainId(source, genesis);
  const rules = stateRulesOf(genesis);
  const { weiPerUnit } = rules;
  const scan = beginScan(source, genesis);
  const { wei, ...report } = await inSlices(scanState(scan, genesis, options));
  const { head, root } = report;
  const block = readBlock(source, head);
  checkBlock(source, block, rules.fork?.number ?? 0);
  // What patches have changed since the block is in the accumulator alone.
  if (scan.patches === 0) {
    expectSame(`the state root of block ${head}`, stateRootOf(block.header), root, 'a scan of the state');
  }
  const accumulated = bytesToHex(new LatticeAccumulator(scan.accumulator).digest());
  expectSame('the root of the accumulator', accumulated, root, 'a scan of the state');
  expectSame('the supply', String(scan.supply), String(supplyIn(wei, rules)), 'the sum of all balances');
  if (rules.hasStateTrie) {
    const snapshot = source.snapshot();
    try {
      await inSlices(verifyStateTrie(snapshot, rules, counterOf(options)));
    } finally {
      await snapshot.close();
    }
  }
  return { ...report, supply: wei / weiPerUnit };
}

/** A scan of the state that has begun. */
interface Scan {
  /** The block that the state is that of. */
  readonly head: number;
  /** Number of patches after that block. */
  readonly patches: number;
  /** The expected sum of all balances, in wei. */
  readonly supply: bigint;
  readonly accumulator: Uint8Array | undefined;
  readonly first: IteratorResult<StateEntry>;
  readonly rest: Iterator<StateEntry>;
}

/** Begins a scan of a state that is known, though another process may be adding blocks and patches. */
function beginScan(source: StoreReader, genesis: Genesis): Scan {
  for (;;) {
    const head = source.head();
    const reorgCount = source.reorgCount();
    if (head === undefined) throw new ChainDamagedError('it has no blocks');
    const patches = source.patchCount(head);
    const accumulator = source.accumulator();
    const supply = readStored('its newest patch', () => weiSupplyOf(source, genesis));
    const rest = source.stateEntries()[Symbol.iterator]();
    const first = rest.next();
    const isSame =
      source.head() === head && source.reorgCount() === reorgCount && source.patchCount(head) === patches;
    if (isSame) return { head, patches, supply, accumulator, first, rest };
    rest.return?.();
  }
}

/** The result of a scan; the sum of balances is in wei. */
type Scanned = Omit<StateReport, 'supply'> & { readonly wei: bigint };

/** Returns a function that counts an entry. */
function counterOf({ stop, onProgress }: CheckOptions): () => void {
  let entries = 0;
  return () => {
    stop?.throwIfAborted();
    entries += 1;
    onProgress?.(entries);
  };
}

function* scanState(
  { head, patches, first, rest }: Scan,
  genesis: Genesis,
  options: CheckOptions,
): Generator<void, Scanned> {
  const count = counterOf(options);
  const lattice = new LatticeAccumulator();
  const { weiPerUnit } = stateRulesOf(genesis);
  const remote = remoteBalances(genesis, options.base);
  let entries = 0;
  let wei = 0n;
  try {
    for (let result = first; result.done !== true; result = rest.next()) {
      const { key, value } = result.value;
      if (stateKey.isOfTrie(key)) break;
      lattice.add(key, value);
      if (key[0] === ACCOUNT_TABLE) wei += balanceIn(key, value, weiPerUnit) - remote(key);
      entries += 1;
      yield count();
    }
  } finally {
    rest.return?.();
  }
  return { head, patches, entries, wei, root: bytesToHex(lattice.digest()) };
}

/**
 * Returns a function for the balance that an account had at the block of a fork, by its key: the chain has changed it,
 * unless its genesis has set it. Throws MissingEntriesError.
 */
function remoteBalances(
  { accounts, ethereum }: Genesis,
  base: ForkBase | undefined,
): (key: Uint8Array) => bigint {
  if (base === undefined) return () => 0n;
  const addresses = [
    ...accounts.map(({ id }) => accountAddress(id)),
    ...[...(ethereum?.accounts ?? []), ...(ethereum?.contracts ?? [])].map(({ address }) => address),
  ];
  const initial = new Set(addresses.map((address) => bytesToHex(stateKey.account(address))));
  return (key) => {
    if (initial.has(bytesToHex(key))) return 0n;
    const record = base.state(key);
    base.requireComplete();
    return record === undefined ? 0n : accountStateOf(record, WEI_PER_UNIT).balance;
  };
}

function balanceIn(key: Uint8Array, value: Uint8Array, weiPerUnit: bigint): bigint {
  // The entry of an account that a forked chain has removed.
  if (value.length === 0) return 0n;
  try {
    return accountStateOf(value, weiPerUnit).balance;
  } catch (cause) {
    const address = bytesToHex(key.subarray(1));
    throw new ChainDamagedError(`the balance of 0x${address} cannot be read`, { cause });
  }
}

/** Checks the content of a block against its header and its parent. */
function checkBlock(source: StoreReader, block: BlockSummary, genesisNumber: number): void {
  const { number, header } = block;
  const name = `of block ${number}`;
  const id = blockId(number, encode(signedBlockHeaderCodec, header));
  expectSame(`the id ${name}`, bytesToHex(block.id), bytesToHex(id), 'its header');
  const transactions = Array.from(source.transactionsOf(number), ({ bytes }) => bytes);
  const root = bytesToHex(merkleRoot(transactions));
  const given = bytesToHex(header.transactionMerkleRoot);
  expectSame(`the transaction_merkle_root ${name}`, given, root, 'its transactions');
  const [vmRoot = ''] = header.vmRoot;
  const digest = receiptsDigest([...source.receiptsOf(number)]);
  expectSame(`the digest of the receipts ${name}`, vmRoot.slice(ROOT_DIGITS), digest, 'its receipts');
  if (number === genesisNumber) return;
  const previous = bytesToHex(readBlock(source, number - 1).id);
  expectSame(`the previous block ${name}`, bytesToHex(header.previous), previous, 'the block before it');
}

function receiptsDigest(receipts: readonly Uint8Array[]): string {
  const writer = new ByteWriter();
  writer.writeVarint(receipts.length);
  for (const receipt of receipts) writer.writeBytes(receipt);
  return bytesToHex(sha256(writer.finish()));
}

function checkChainId(source: StoreReader, genesis: Genesis): void {
  const record = source.state(stateKey.counters());
  const properties = record && readStored('its counters', () => decode(dynamicPropertiesCodec, record));
  if (properties !== undefined && equalBytes(properties.chainId, chainIdOf(genesis))) return;
  throw new ChainDamagedError('its state and its genesis name different chain ids');
}

function readBlock(source: StoreReader, number: number): BlockSummary {
  const block = readStored(`block ${number}`, () => storedBlock(source, number));
  if (block === undefined) throw new ChainDamagedError(`block ${number} is missing`);
  return block;
}

function expectSame(what: string, given: string, found: string, where: string): void {
  if (given !== found) throw new ChainDamagedError(`${what} is ${given}, and ${where} gives ${found}`);
}
