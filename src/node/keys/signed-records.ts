import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { flush } from '../../durable-files.ts';
import type { SignedBlocks } from '../../ledger/index.ts';
import { bytesToHex, formatPublicKey, type Hash, invariant, type PublicKey } from '../../protocol/index.ts';
import type { StoredKey } from './key-folder.ts';
import { SignedRecord } from './signed-record.ts';

/** Suffix after the public key in the names of a record's files, before their number. */
const SUFFIX = '.signed';
const FIRST_FILE = `${SUFFIX}-1`;

/** The records of what a node's consensus keys signed, each beside its key and named after it. */
export class SignedRecords implements SignedBlocks {
  readonly #records = new Map<string, SignedRecord>();

  /** Opens the records of keys. @throws KeyFileError */
  static open(keys: readonly StoredKey[], chainId: Hash): SignedRecords {
    const opened = new SignedRecords();
    try {
      for (const { path, keys: pair } of keys) opened.#open(dirname(path), pair.publicKey, chainId);
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
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

  /** Forgets signatures beyond a block. @throws KeyFileError */
  setBack(to: number): void {
    for (const record of this.#records.values()) setBack(record, to);
  }

  close(): void {
    for (const record of this.#records.values()) record.close();
    this.#records.clear();
  }

  #open(folder: string, key: PublicKey, chainId: Hash): void {
    const name = bytesToHex(key);
    if (this.#records.has(name)) return;
    this.#records.set(name, SignedRecord.open(join(folder, `${formatPublicKey(key)}${SUFFIX}`), chainId));
    flush(folder);
  }

  #of(key: PublicKey): SignedRecord {
    const record = this.#records.get(bytesToHex(key));
    invariant(record !== undefined, 'each key that signs has a record');
    return record;
  }
}

/**
 * Sets back all records of a chain in a folder of keys, without reading the keys.
 * @returns the newest block that they named before; undefined where it was not beyond `to`
 * @throws KeyFileError
 */
export function setBackRecords(folder: string, chainId: Hash, to: number): number | undefined {
  if (!existsSync(folder)) return undefined;
  let newest = to;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(FIRST_FILE)) continue;
    const path = join(folder, `${name.slice(0, -FIRST_FILE.length)}${SUFFIX}`);
    const record = SignedRecord.open(path, chainId);
    try {
      newest = Math.max(newest, record.last);
      setBack(record, to);
    } finally {
      record.close();
    }
  }
  return newest === to ? undefined : newest;
}

function setBack(record: SignedRecord, to: number): void {
  if (record.last > to) record.write(to, new Uint8Array());
}
