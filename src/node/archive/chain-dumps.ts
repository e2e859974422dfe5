import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Ledger, TestChain } from '../../ledger/index.ts';
import {
  DECODED_BYTES_FACTOR,
  DUMP_BYTES_MAX,
  DUMP_GENESIS_BYTES_MAX,
  DUMP_INFLATED_BYTES_MAX,
} from '../../limits.ts';
import { invariant, LedgerdError } from '../../protocol/index.ts';
import {
  type ChainDumps,
  type HoldBytes,
  InvalidDumpError,
  LimitError,
  RequestFailedError,
} from '../../rpc/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { type ArchiveGuard, inflated, isOfGzip } from './archive-reader.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { writeBlocks } from './export.ts';
import { ArchiveError, encodeHeader } from './format.ts';
import { NEVER, restoreChain } from './import.ts';

export interface DumpedChain {
  readonly ledger: Ledger;
  readonly store: Store;
  readonly testChain: TestChain;
}

/** Dumps the chain of a running node in test mode as a compressed archive, and loads such an archive. */
export function chainDumpsOf(chain: DumpedChain): ChainDumps {
  let isBusy = false;
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
    load: (bytes, hold) => alone(() => load(chain, bytes, hold)),
  };
}

async function dump({ ledger, store }: DumpedChain): Promise<Uint8Array> {
  const { ahead } = ledger.clock.timing;
  const snapshot = store.snapshot();
  try {
    const parts: Uint8Array[] = [];
    let total = 0;
    const write = async (bytes: Uint8Array): Promise<void> => {
      total += bytes.length;
      requireWithinBounds(total, DUMP_BYTES_MAX);
      parts.push(bytes);
    };
    const genesis = snapshot.genesis();
    invariant(genesis !== undefined, 'the store of a ledger has a genesis');
    await write(encodeHeader({ chain: 'test', genesis }));
    const writer = new ArchiveWriter({ write });
    const check = (): void => requireWithinBounds(writer.recordBytes, DUMP_INFLATED_BYTES_MAX);
    const chain = { store: snapshot, reorgCount: snapshot.reorgCount() };
    await writeBlocks(chain, writer, snapshot.head() ?? 0, { stop: NEVER, onProgress: check });
    check();
    await writer.addClock(ahead);
    await writer.end();
    return await promisify(gzip)(Buffer.concat(parts));
  } finally {
    await snapshot.close();
  }
}

function requireWithinBounds(bytes: number, most: number): void {
  if (bytes <= most) return;
  throw new LimitError(
    `the chain takes more than the ${most} bytes that a dump may have: with a data folder, ` +
      '"ledgerd backup" and "ledgerd export" take it',
  );
}

async function load({ store, testChain }: DumpedChain, bytes: Uint8Array, hold: HoldBytes): Promise<void> {
  // In a separate store: until everything is checked, nothing is changed.
  const loaded = openStore({ durable: false, history: store.history });
  try {
    const ahead = await restoreChain(loaded, Readable.from(archiveOf(bytes)), dumpGuard(hold));
    testChain.replace(loaded, ahead);
  } catch (error) {
    if (error instanceof ArchiveError && error.code === 'NOT_AN_ARCHIVE') throw notAnArchive(error);
    if (isOfArchive(error)) throw new InvalidDumpError(error.message, { cause: error });
    throw error;
  } finally {
    await loaded.close();
  }
}

/** Decompresses a dump in pieces, so that it is never in memory as a whole. */
async function* archiveOf(dump: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  let total = 0;
  try {
    for await (const piece of inflated(dump)) {
      total += piece.length;
      requireShortEnough('bytes', total, DUMP_BYTES_MAX);
      yield piece;
    }
  } catch (error) {
    throw isOfGzip(error) ? notAnArchive(error) : error;
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

function notAnArchive(cause: unknown): InvalidDumpError {
  return new InvalidDumpError('not a ledgerd archive', { cause });
}
