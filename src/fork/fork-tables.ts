import { concatBytes, keccak256, numberToBytes, toAddress, toHash, utf8ToBytes } from '../protocol/index.ts';
import { stateKey } from '../store/index.ts';

/** Numbers of the tables of a fork, beside those of the ledger's state. */
const HISTORY = 0xfe;
const PROVEN = 0xfd;
const BLOCK_HASHES = 0xff;
const BLOCK_NUMBER_BYTES = 6;

/** Prefix of the keys of results about the history. */
export const HISTORY_PREFIX = Uint8Array.of(HISTORY);

/** Key of the mark of a store of which every entry of the state was proven. Packs have none: others make them. */
export const PROVEN_KEY = Uint8Array.of(PROVEN);

/** Returns the key of the hash of a block. */
export function blockHashKey(number: number): Uint8Array {
  return concatBytes(Uint8Array.of(BLOCK_HASHES), numberToBytes(BigInt(number), BLOCK_NUMBER_BYTES));
}

/** Returns the key of a result about the history, by the name of what was asked. */
export function historyKey(name: string): Uint8Array {
  return concatBytes(HISTORY_PREFIX, keccak256(utf8ToBytes(name)));
}

/** Numbers of the entries of a fork. */
export interface EntryCounts {
  accounts: number;
  slots: number;
  codes: number;
  blockHashes: number;
  history: number;
}

const SOME_ADDRESS = toAddress(new Uint8Array(20));
const SOME_HASH = toHash(new Uint8Array(32));

/** A key of each kind. */
const SAMPLES: readonly (readonly [kind: keyof EntryCounts, key: Uint8Array])[] = [
  ['accounts', stateKey.account(SOME_ADDRESS)],
  ['slots', stateKey.storage(SOME_ADDRESS, SOME_HASH)],
  ['codes', stateKey.code(SOME_HASH)],
  ['blockHashes', blockHashKey(0)],
  ['history', historyKey('')],
];

/** Returns the kind of an entry by its key; undefined for a key that no fork has. */
export function kindOfKey(key: Uint8Array): keyof EntryCounts | undefined {
  return SAMPLES.find(([, sample]) => sample[0] === key[0] && sample.length === key.length)?.[0];
}

/** Returns counts without any entry. */
export function noEntries(): EntryCounts {
  return { accounts: 0, slots: 0, codes: 0, blockHashes: 0, history: 0 };
}

/** Counts the entries of a store. */
export function countEntries(entries: Iterable<{ readonly key: Uint8Array }>): EntryCounts {
  const counts = noEntries();
  for (const { key } of entries) {
    const kind = kindOfKey(key);
    if (kind !== undefined) counts[kind] += 1;
  }
  return counts;
}
