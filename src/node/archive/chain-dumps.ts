import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  type BlockSummary,
  genesisCodec,
  genesisNumberOf,
  type Ledger,
  storedGenesis,
  type TestChain,
} from '../../ledger/index.ts';
import {
  type Address,
  encode,
  equalBytes,
  invariant,
  type KeyPair,
  LedgerdError,
  utf8ToBytes,
} from '../../protocol/index.ts';
import {
  BlockFactsCache,
  type ChainDumps,
  type HoldBytes,
  InvalidDumpError,
  LimitError,
  RequestFailedError,
} from '../../rpc/index.ts';
import { openStore, type Store, type StoreReader } from '../../store/index.ts';
import { inSlices } from '../../time/job.ts';
import { DUMP_ENTRIES_MAX, fillStore } from '../state-dump/fill-store.ts';
import { readStateDump } from '../state-dump/read-state-dump.ts';
import type { StateDump } from '../state-dump/state-dump.ts';
import { describeHead, joinStateDump, writeAccounts } from '../state-dump/write-state-dump.ts';
import { type ArchiveGuard, inflated, isOfGzip } from './archive-reader.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { writeBlocks } from './export.ts';
import { ArchiveError, encodeHeader } from './format.ts';
import { NEVER, restoreChain } from './import.ts';

/** Bytes of a state dump, compressed or not (64 MiB). */
export const DUMP_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of the blocks and patches of a dump, or of a state dump, decompressed (256 MiB), and of a genesis (4 MiB). */
export const DUMP_INFLATED_BYTES_MAX = 256 * 1024 * 1024;
export const DUMP_GENESIS_BYTES_MAX = 4 * 1024 * 1024;
/** Bytes of memory, at most, for each byte of a decoded block, patch or genesis. */
export const DECODED_BYTES_FACTOR = 12;

export interface DumpedChain {
  readonly ledger: Ledger;
  readonly store: Store;
  readonly testChain: TestChain;
  /** The key of the producer of a chain that continues a state dump. */
  readonly producer: KeyPair;
  /** Called for each balance of a state dump that an account cannot hold. Amounts are in wei. */
  onBalanceCut(address: Address, asked: bigint, most: bigint): void;
}

/** Dumps the chain of a running node in test mode, and loads a dump: an archive, or a state dump of anvil. */
export function chainDumpsOf(chain: DumpedChain): ChainDumps {
  let isBusy = false;
  const facts = new BlockFactsCache(chain.ledger);
  /** Runs one action at a time, which bounds the memory. */
  const alone = async <T>(action: () => Promise<T>): Promise<T> => {
    if (isBusy) throw new RequestFailedError('a state is being dumped or loaded already: wait for it');
    isBusy = true;
    try {
      return await action();
    } finally {
      isBusy = false;
    }
  };
  return {
    dump: () => alone(() => dump(chain)),
    dumpState: () => alone(() => dumpState(chain, facts)),
    load: (bytes, hold) => alone(() => load(chain, bytes, hold)),
  };
}

async function dump({ ledger, store }: Pick<DumpedChain, 'ledger' | 'store'>): Promise<Uint8Array> {
  const { ahead } = ledger.clock.timing;
  const snapshot = store.snapshot();
  try {
    return await archiveIn(snapshot, ahead);
  } finally {
    await snapshot.close();
  }
}

/** Writes a chain as a compressed archive. */
async function archiveIn(snapshot: StoreReader, ahead: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  const write = async (bytes: Uint8Array): Promise<void> => {
    total += bytes.length;
    requireWithinBounds(total, DUMP_BYTES_MAX);
    parts.push(bytes);
  };
  const genesis = storedGenesis(snapshot);
  invariant(genesis !== undefined, 'the store of a ledger has a genesis');
  await write(encodeHeader({ chain: 'test', genesis: encode(genesisCodec, genesis) }));
  const writer = new ArchiveWriter({ write }, genesisNumberOf(genesis) + 1);
  const check = (): void => requireWithinBounds(writer.recordBytes, DUMP_INFLATED_BYTES_MAX);
  const chain = { store: snapshot, reorgCount: snapshot.reorgCount() };
  await inSlices(writeBlocks(chain, writer, snapshot.head() ?? 0, { stop: NEVER, onProgress: check }));
  check();
  await writer.addClock(ahead);
  await writer.end();
  return await promisify(gzip)(Buffer.concat(parts));
}

/** Writes the state of a chain with Ethereum in anvil's format, with the archive of the chain for this program. */
async function dumpState({ ledger, store }: DumpedChain, facts: BlockFactsCache): Promise<string> {
  const { ahead } = ledger.clock.timing;
  const { rules } = ledger.parameters;
  requireWhole(rules);
  let block = ledger.blocks.head();
  let gas = await sumGas(ledger, facts, block);
  // Summing up takes several steps: the snapshot must have the same newest block.
  while (!equalBytes(ledger.blocks.head().id, block.id)) {
    block = ledger.blocks.head();
    gas = await sumGas(ledger, facts, block);
  }
  const head = describeHead(ledger, block, gas);
  const snapshot = store.snapshot();
  try {
    const check = (characters: number): void => requireWithinBounds(characters, DUMP_INFLATED_BYTES_MAX);
    const accounts = await inSlices(writeAccounts(snapshot, rules.weiPerUnit, check));
    return joinStateDump(head, accounts, await archiveIn(snapshot, ahead));
  } finally {
    await snapshot.close();
  }
}

/** Sums up the gas of the operations of a block, in slices. @throws BlockRevertedError */
async function sumGas(ledger: Ledger, facts: BlockFactsCache, block: BlockSummary): Promise<bigint> {
  return (await inSlices(facts.gasJob(ledger, block))).at(-1) ?? 0n;
}

/** @throws RequestFailedError for a fork, whose state is that of a remote chain for the most part */
function requireWhole({ base }: Pick<Ledger['parameters']['rules'], 'base'>): void {
  if (base === undefined) return;
  throw new RequestFailedError(
    'the chain is a fork: it has no state dump, and loads none; "ledgerd fork pack" writes what was fetched',
  );
}

function requireWithinBounds(bytes: number, most: number): void {
  if (bytes <= most) return;
  throw new LimitError(
    `the chain takes more than the ${most} bytes that a dump may have: with a data folder, ` +
      '"ledgerd backup" and "ledgerd export" take it',
  );
}

async function load(chain: DumpedChain, bytes: Uint8Array, hold: HoldBytes): Promise<void> {
  const { store, testChain } = chain;
  const state = await stateDumpIn(bytes, hold);
  // In a separate store: until everything is checked, nothing is changed.
  const loaded = openStore({ durable: false, history: store.history, writesLater: 'always' });
  try {
    const ahead =
      state?.archive === undefined && state !== undefined
        ? await continueState(chain, state, loaded)
        : await restoreArchive(loaded, state?.archive ?? bytes, hold);
    testChain.replace(loaded, ahead);
  } finally {
    await loaded.close();
  }
}

/** Reads the bytes of a dump as a state dump: JSON, or compressed JSON. Returns undefined for an archive. */
async function stateDumpIn(bytes: Uint8Array, hold: HoldBytes): Promise<StateDump | undefined> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let total = 0;
  let values = 0;
  for await (const piece of piecesOf(bytes, DUMP_INFLATED_BYTES_MAX)) {
    if (total === 0 && !startsAsJson(piece)) return undefined;
    total += piece.length;
    values += valuesIn(piece);
    requireShortEnough('values', values, MOST_DUMP_VALUES);
    hold(total * DECODED_BYTES_FACTOR);
    parts.push(decoder.decode(piece, { stream: true }));
  }
  parts.push(decoder.decode());
  return total === 0 ? undefined : await inSlices(readStateDump(parts));
}

const GZIP_FIRST_BYTE = 0x1f;

/** Returns true for text that begins with a brace, after white space. */
function startsAsJson(bytes: Uint8Array): boolean {
  return bytes.find((byte) => !JSON_SPACES.has(byte)) === BRACE;
}

const JSON_SPACES: ReadonlySet<number> = new Set(utf8ToBytes(' \t\r\n'));

/** Values of a state dump: an account has some seven, and earlier states and blocks have others. */
const MOST_DUMP_VALUES = 20 * DUMP_ENTRIES_MAX;

/** Returns an upper bound of the values that begin in JSON text, in linear time: short ones may take much memory. */
function valuesIn(json: Uint8Array): number {
  let values = 0;
  for (const byte of json) if (byte === COMMA || byte === BRACE || byte === BRACKET) values += 1;
  return values;
}

const COMMA = 0x2c;
const BRACE = 0x7b;
const BRACKET = 0x5b;

/** Fills a store with a chain that continues a state dump. Returns the seconds by which its clock is ahead. */
function continueState(
  { ledger, producer, onBalanceCut }: DumpedChain,
  state: StateDump,
  loaded: Store,
): Promise<number> {
  const { genesis, rules, knowsEthereum } = ledger.parameters;
  if (!knowsEthereum) {
    throw new RequestFailedError('a state dump of anvil needs a chain with Ethereum: start with --ethereum');
  }
  requireWhole(rules);
  return fillStore(loaded, state, { genesis, producer, onBalanceCut });
}

async function restoreArchive(loaded: Store, bytes: Uint8Array, hold: HoldBytes): Promise<number> {
  try {
    return await restoreChain(loaded, Readable.from(piecesOf(bytes, DUMP_BYTES_MAX)), dumpGuard(hold));
  } catch (error) {
    if (error instanceof ArchiveError && error.code === 'NOT_AN_ARCHIVE') throw notADump(error);
    if (isOfArchive(error)) throw new InvalidDumpError(error.message, { cause: error });
    throw error;
  }
}

/** Decompresses a dump in pieces, so that it is never in memory as a whole. A plain one stays as it is. */
async function* piecesOf(dump: Uint8Array, bytesMax: number): AsyncGenerator<Uint8Array, void, undefined> {
  let total = 0;
  try {
    for await (const piece of dump[0] === GZIP_FIRST_BYTE ? inflated(dump) : [dump]) {
      total += piece.length;
      requireShortEnough('bytes', total, bytesMax);
      yield piece;
    }
  } catch (error) {
    if (!isOfGzip(error)) throw error;
    throw new InvalidDumpError(`the compressed dump is damaged or cut: ${error.message}`, { cause: error });
  }
}

/** Bounds the memory for a dump, and counts the bytes in memory. */
export function dumpGuard(hold: HoldBytes): ArchiveGuard {
  let payloadBytes = 0;
  let recordBytes = 0;
  return {
    beforeGenesis: (bytes) => {
      requireShortEnough('bytes of its genesis', bytes, DUMP_GENESIS_BYTES_MAX);
      hold(bytes * DECODED_BYTES_FACTOR);
    },
    beforePayload: (bytes) => {
      requireShortEnough('bytes', bytes, DUMP_BYTES_MAX);
      // Once in parts, and once as a whole.
      payloadBytes = 2 * bytes;
      hold(payloadBytes);
    },
    beforeRecord: (bytes) => {
      recordBytes += bytes;
      requireShortEnough('bytes of blocks and patches', recordBytes, DUMP_INFLATED_BYTES_MAX);
      hold(payloadBytes + bytes * DECODED_BYTES_FACTOR);
    },
  };
}

function requireShortEnough(unit: string, bytes: number, most: number): void {
  if (bytes > most) throw new LimitError(`a dump has at most ${most} ${unit}: "ledgerd import" takes more`);
}

/** Returns true for an error of the archive, not of this node. */
function isOfArchive(error: unknown): error is LedgerdError {
  const codes = ['BLOCK_REJECTED', 'INVALID_GENESIS'];
  return error instanceof ArchiveError || (error instanceof LedgerdError && codes.includes(error.code));
}

function notADump(cause: unknown): InvalidDumpError {
  return new InvalidDumpError(
    'neither a ledgerd archive nor a state dump of anvil (JSON with "accounts", or gzip of it)',
    { cause },
  );
}
