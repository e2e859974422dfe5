import { createHash, type Hash as Digest } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { publishChunks } from '../files/durable-files.ts';
import type { StateEntry, StoreReader } from '../store/index.ts';
import { ForkPackError } from './fork-errors.ts';
import {
  FORK_PACK_CHUNK_BYTES,
  isPackOrFree,
  PACK_COUNT_BYTES,
  PACK_FORMAT,
  PACK_MAGIC,
} from './fork-pack.ts';
import { type EntryCounts, kindOfKey, noEntries } from './fork-tables.ts';

const PACK_MODE = 0o644;

/** The progress and the end of a pack that is written. */
export interface PackControl {
  readonly stop: AbortSignal;
  /** Called after each chunk. */
  onEntries(written: number): void;
}

/**
 * Writes the entries of a fork's store into a file, which appears when it is complete. Another process may write to the
 * store meanwhile.
 *
 * @throws ForkPackError for a file that exists and is no pack, the reason of `stop`, and errors of the system
 */
export async function writePack(
  store: StoreReader,
  file: string,
  control: PackControl,
): Promise<{ readonly counts: EntryCounts; readonly bytes: number }> {
  const point = store.genesis();
  if (point === undefined) throw new ForkPackError(`${store.path} has no fork`);
  if (!isPackOrFree(file)) {
    throw new ForkPackError(`${file} exists already and is no pack of a fork: name another file`);
  }
  const written = { counts: noEntries(), bytes: 0 };
  await publishChunks(file, chunksOf(point, store.stateEntries(), control, written), PACK_MODE);
  return written;
}

async function* chunksOf(
  point: Uint8Array,
  entries: Iterable<StateEntry>,
  control: PackControl,
  written: { readonly counts: EntryCounts; bytes: number },
): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  const emit = (parts: readonly Uint8Array[]): Uint8Array => emitted(parts, digest, written);
  let parts: Uint8Array[] = [PACK_MAGIC, number(PACK_FORMAT, 2), number(point.length, 4), point];
  let waiting = 0;
  let total = 0;
  for (const { key, value } of entries) {
    const kind = kindOfKey(key);
    if (kind === undefined) continue;
    parts.push(number(key.length, 1), number(value.length, 4), key, value);
    waiting += key.length + value.length;
    written.counts[kind] += 1;
    total += 1;
    if (waiting < FORK_PACK_CHUNK_BYTES) continue;
    yield emit(parts);
    control.onEntries(total);
    await setImmediate();
    control.stop.throwIfAborted();
    parts = [];
    waiting = 0;
  }
  control.stop.throwIfAborted();
  parts.push(number(0, 1), number(total, PACK_COUNT_BYTES));
  yield emit(parts);
  const checksum = digest.digest();
  written.bytes += checksum.length;
  yield checksum;
}

function emitted(parts: readonly Uint8Array[], digest: Digest, written: { bytes: number }): Uint8Array {
  const chunk = Buffer.concat(parts);
  digest.update(chunk);
  written.bytes += chunk.length;
  return chunk;
}

function number(value: number, length: number): Uint8Array {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}
