import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { flush } from '../../files/durable-files.ts';
import { PENDING_BYTES_MAX, type SignedBlocks } from '../../ledger/index.ts';
import {
  ByteReader,
  ByteWriter,
  bytesToHex,
  concatBytes,
  equalBytes,
  formatPublicKey,
  type Hash,
  invariant,
  messageOf,
  type PublicKey,
} from '../../protocol/index.ts';
import { isThere } from '../data-folder.ts';
import { KeyFileError } from '../node-errors.ts';
import { KEY_FILE_MODE, OTHERS_WRITE, othersHave, type StoredKey } from './key-file.ts';

/** Bytes of a signed block (128 MiB): all pending transactions, and as many bytes of results. */
export const SIGNED_BLOCK_BYTES_MAX = 2 * PENDING_BYTES_MAX;

/** Suffix between the public key and the number in the names of a record's files. */
const SUFFIX = '.signed';
const FIRST_FILE = `${SUFFIX}-1`;

/** The records of the blocks that a node's producer keys signed, each in the folder of its key and named after it. */
export class SignedRecords implements SignedBlocks {
  readonly #records = new Map<string, SignedRecord>();
  readonly #chainId: Hash;

  private constructor(chainId: Hash) {
    this.#chainId = chainId;
  }

  /** Opens the records of keys. @throws KeyFileError */
  static open(keys: readonly StoredKey[], chainId: Hash): SignedRecords {
    const opened = new SignedRecords(chainId);
    try {
      for (const key of keys) opened.add(key);
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  }

  /** Opens the record of a key, unless it is open. @throws KeyFileError */
  add({ path, keys: { publicKey } }: StoredKey): void {
    const name = bytesToHex(publicKey);
    if (this.#records.has(name)) return;
    const record = join(dirname(path), `${formatPublicKey(publicKey)}${SUFFIX}`);
    this.#records.set(name, SignedRecord.open(record, this.#chainId));
    flush(dirname(path));
  }

  /** Number of the newest block that any key signed; 0 for none. */
  get newest(): number {
    return Math.max(0, ...Array.from(this.#records.values(), ({ last }) => last));
  }

  last(key: PublicKey): number {
    return this.#of(key).last;
  }

  block(key: PublicKey): Uint8Array | undefined {
    return this.#of(key).block();
  }

  record(key: PublicKey, number: number, block: Uint8Array): void {
    this.#of(key).write(number, block);
  }

  /** Discards signatures after a block. @throws KeyFileError */
  truncate(to: number): void {
    for (const record of this.#records.values()) truncate(record, to);
  }

  close(): void {
    for (const record of this.#records.values()) record.close();
    this.#records.clear();
  }

  #of(key: PublicKey): SignedRecord {
    const record = this.#records.get(bytesToHex(key));
    invariant(record !== undefined, 'each key that signs has a record');
    return record;
  }
}

/**
 * Truncates all records of a chain in a key folder to a block, without reading the keys.
 * @returns their previous newest block; undefined if it was not after `to`
 * @throws KeyFileError
 */
export function truncateRecords(folder: string, chainId: Hash, to: number): number | undefined {
  if (!isThere(folder)) return undefined;
  let newest = to;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(FIRST_FILE)) continue;
    const path = join(folder, `${name.slice(0, -FIRST_FILE.length)}${SUFFIX}`);
    const record = SignedRecord.open(path, chainId);
    try {
      newest = Math.max(newest, record.last);
      truncate(record, to);
    } finally {
      record.close();
    }
  }
  return newest === to ? undefined : newest;
}

function truncate(record: SignedRecord, to: number): void {
  if (record.last > to) record.write(to, new Uint8Array());
}

/** Format and version of a file. */
const MAGIC = new Uint8Array(Buffer.from('LDGSIGN1', 'latin1'));
const DIGEST_BYTES = 32;
/** Bytes before the block: magic, chain id, edition, number, length, and the digest of these and of the block. */
const HEAD_BYTES = MAGIC.length + 32 + 4 + 4 + 4 + DIGEST_BYTES;

/** The newest block that a key signed, in one file. */
interface Entry {
  /** Count of writes, which identifies the newer file. */
  readonly edition: number;
  readonly number: number;
  /** Bytes of the block; 0 if only its number is known. */
  readonly blockBytes: number;
}

/** The content of a file: an entry, nothing yet, or an interrupted write. */
type Content = Entry | 'empty' | 'torn';

/**
 * The record of the newest block that one key signed on one chain: its number and bytes. Two files are overwritten
 * alternately, with a checksum, so that one of them is complete at any moment.
 */
export class SignedRecord {
  readonly #paths: readonly [string, string];
  readonly #files: readonly [number, number];
  readonly #chainId: Hash;
  #current: 0 | 1 = 0;
  #entry: Entry = { edition: 0, number: 0, blockBytes: 0 };

  private constructor(paths: readonly [string, string], chainId: Hash) {
    this.#paths = paths;
    this.#chainId = chainId;
    this.#files = [openFile(paths[0]), openFile(paths[1])];
  }

  /**
   * Opens the record of a key, and creates missing files.
   * @param path of the files, before the suffix
   * @throws KeyFileError if it is not writable, damaged, or that of another chain
   */
  static open(path: string, chainId: Hash): SignedRecord {
    const record = new SignedRecord([`${path}-1`, `${path}-2`], chainId);
    try {
      record.#readNewest();
      return record;
    } catch (error) {
      record.close();
      throw error;
    }
  }

  /** Number of the newest signed block; 0 for none. */
  get last(): number {
    return this.#entry.number;
  }

  /** Returns the newest signed block, serialized; undefined if only its number is known. */
  block(): Uint8Array | undefined {
    if (this.#entry.blockBytes === 0) return undefined;
    return this.#read(this.#current)?.subarray(HEAD_BYTES);
  }

  /**
   * Writes and syncs a signed block.
   * @param block serialized; empty if it is obsolete
   * @throws KeyFileError on failure, with the record unchanged
   */
  write(number: number, block: Uint8Array): void {
    if (block.length > SIGNED_BLOCK_BYTES_MAX) {
      throw new KeyFileError(
        `a block of ${block.length} bytes cannot be signed: the record of a key has at most ${SIGNED_BLOCK_BYTES_MAX}`,
      );
    }
    const target = this.#current === 0 ? 1 : 0;
    const entry = { edition: this.#entry.edition + 1, number, blockBytes: block.length };
    try {
      writeWhole(this.#files[target], this.#serialize(entry, block));
      fdatasyncSync(this.#files[target]);
    } catch (cause) {
      throw fileError(`the record of signed blocks ${this.#paths[target]} cannot be written`, cause);
    }
    this.#current = target;
    this.#entry = entry;
  }

  close(): void {
    for (const file of this.#files) closeSync(file);
  }

  #serialize({ edition, number, blockBytes }: Entry, block: Uint8Array): Uint8Array {
    const writer = new ByteWriter();
    writer.writeBytes(MAGIC);
    writer.writeBytes(this.#chainId);
    writer.writeUint32(edition);
    writer.writeUint32(number);
    writer.writeUint32(blockBytes);
    const fields = writer.finish();
    return concatBytes(fields, digestOf(fields, block), block);
  }

  #readNewest(): void {
    const first = this.#contentOf(0);
    const second = this.#contentOf(1);
    const isFirst = editionOf(first) >= editionOf(second);
    const newest = isFirst ? first : second;
    if (newest === 'empty' || newest === 'torn') {
      // Only one of them is written at a time.
      if (first !== 'torn' || second !== 'torn') return;
      throw new KeyFileError(
        `the record of signed blocks is damaged in both of its files, ${this.#paths.join(' and ')}: ` +
          'remove them only if the chain here has all blocks that the key has signed',
      );
    }
    this.#current = isFirst ? 0 : 1;
    this.#entry = newest;
  }

  #contentOf(index: 0 | 1): Content {
    if (fstatSync(this.#files[index]).size === 0) return 'empty';
    const bytes = this.#read(index);
    if (bytes === undefined) return 'torn';
    const reader = new ByteReader(bytes.subarray(MAGIC.length));
    const chainId = reader.readBytes(32);
    if (!equalBytes(chainId, this.#chainId)) {
      throw new KeyFileError(
        `the record of signed blocks ${this.#paths[index]} is that of the chain ${bytesToHex(chainId)}: ` +
          'create a new key for this chain, or move the record away',
      );
    }
    return {
      edition: reader.readUint32(),
      number: reader.readUint32(),
      blockBytes: reader.readUint32(),
    };
  }

  /** Reads a file up to the end of its block; undefined if it is incomplete or damaged. */
  #read(index: 0 | 1): Uint8Array | undefined {
    const head = readExactly(this.#files[index], HEAD_BYTES);
    if (head === undefined || !equalBytes(head.subarray(0, MAGIC.length), MAGIC)) return undefined;
    const fields = head.subarray(0, HEAD_BYTES - DIGEST_BYTES);
    const blockBytes = new DataView(fields.buffer, fields.length - 4).getUint32(0, true);
    if (blockBytes > SIGNED_BLOCK_BYTES_MAX) return undefined;
    const bytes = readExactly(this.#files[index], HEAD_BYTES + blockBytes);
    if (bytes === undefined) return undefined;
    const digest = digestOf(fields, bytes.subarray(HEAD_BYTES));
    return equalBytes(digest, head.subarray(HEAD_BYTES - DIGEST_BYTES)) ? bytes : undefined;
  }
}

function openFile(path: string): number {
  let file: number;
  try {
    file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK, KEY_FILE_MODE);
  } catch (cause) {
    throw fileError(
      `the record of signed blocks ${path} cannot be opened: a producer writes to the folder of its key`,
      cause,
    );
  }
  const problem = problemOf(fstatSync(file));
  if (problem === undefined) return file;
  closeSync(file);
  throw new KeyFileError(`the record of signed blocks ${path} cannot be used: ${problem}`);
}

function problemOf(stats: Stats): string | undefined {
  if (!stats.isFile()) return 'it is not a regular file';
  return othersHave(stats, OTHERS_WRITE)
    ? 'users other than its owner can write to it: chmod 600'
    : undefined;
}

function editionOf(content: Content): number {
  return typeof content === 'string' ? 0 : content.edition;
}

function digestOf(fields: Uint8Array, block: Uint8Array): Uint8Array {
  return createHash('sha256').update(fields).update(block).digest();
}

/** Reads the first bytes of a file; undefined if it has fewer. */
function readExactly(file: number, length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, filled);
    if (count === 0) return undefined;
    filled += count;
  }
  return bytes;
}

function writeWhole(file: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written, bytes.length - written, written);
}

function fileError(problem: string, cause: unknown): KeyFileError {
  return new KeyFileError(`${problem}: ${messageOf(cause)}`, { cause });
}
