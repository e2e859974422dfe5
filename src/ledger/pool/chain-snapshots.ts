import {
  bytesToHex,
  decode,
  encode,
  invariant,
  LedgerdError,
  sha256,
  string,
  struct,
  variableBytes,
  varint,
  vector,
} from '../../protocol/index.ts';
import type { ChainSnapshot, PendingRecord, Store } from '../../store/index.ts';
import { ChainDamagedError } from '../errors/chain-errors.ts';
import { refuse } from '../errors/refusal.ts';
import { type PendingTransaction, readPendingTransaction, sidecarLengths } from './pool-index.ts';

/** Snapshots of a chain at one time. */
export const SNAPSHOTS_MAX = 10_000;
/** Bytes of the records of all snapshots of a chain (256 MiB). */
const SNAPSHOT_BYTES_MAX = 256 * 1024 * 1024;

/** The content of a snapshot, in addition to its block number. */
interface SnapshotContent {
  /** Parts that differ from the start of the node, by name, as JSON. */
  readonly held: ReadonlyMap<string, unknown>;
  /** Each with its bytes, or with the id of an earlier snapshot (`encodeHolder`). */
  readonly pending: readonly PendingRecord[];
}

interface SnapshotRecord {
  /** A JSON object. */
  readonly held: string;
  readonly pending: readonly PendingRecord[];
}

/**
 * Bytes of the id of an earlier snapshot, at most, in place of a transaction that is in its record. It exists, since
 * snapshots are removed with all later ones. No transaction is so short.
 */
const HOLDER_BYTES_MAX = 8;

/** Encodes the id of the snapshot whose record has a transaction. */
function encodeHolder(snapshot: number): Uint8Array {
  return encode(varint, snapshot);
}

/** Returns the id of the snapshot whose record has a transaction; undefined for the record that it is in. */
function holderIn({ bytes }: PendingRecord): number | undefined {
  return bytes.length <= HOLDER_BYTES_MAX ? decode(varint, bytes) : undefined;
}

const recordCodec = struct<SnapshotRecord>('snapshot', {
  held: string,
  pending: vector(struct<PendingRecord>('waiting', { sequence: varint, bytes: variableBytes })),
});

/** Encodes the stored record of a snapshot. */
function encodeSnapshot({ held, pending }: SnapshotContent): Uint8Array {
  return encode(recordCodec, { held: JSON.stringify(Object.fromEntries(held)), pending });
}

/** @throws ChainDamagedError for a record that cannot be read */
function decodeSnapshot({ id, bytes }: ChainSnapshot): SnapshotContent {
  try {
    const { held, pending } = decode(recordCodec, bytes);
    return { held: new Map(Object.entries(JSON.parse(held))), pending };
  } catch (cause) {
    if (!(cause instanceof LedgerdError || cause instanceof SyntaxError)) throw cause;
    throw new ChainDamagedError(`the snapshot ${id} cannot be read`, { cause });
  }
}

export type SnapshotReference = Pick<ChainSnapshot, 'id' | 'block'>;

/** A pending transaction as it is stored, and decoded. */
export interface RestoredTransaction {
  readonly record: PendingRecord;
  readonly pending: PendingTransaction;
}

/** The content of a snapshot. */
interface ReadSnapshot {
  readonly held: SnapshotContent['held'];
  readonly pending: readonly RestoredTransaction[];
  /** Ids of the snapshots whose records have these transactions, in their order. */
  readonly holders: readonly number[];
}

/**
 * The snapshots of a chain. A record has only the pending transactions that no earlier one has, so that snapshots of a
 * full pool share them.
 */
export class ChainSnapshots {
  readonly #store: Store;
  /** Oldest first. */
  readonly #all: (SnapshotReference & { readonly bytes: number })[];
  /** Ids of the snapshots that have the transactions of the newest one, by `nameOf`. */
  #holders = new Map<string, number>();
  readonly #bytesMax: number;

  constructor(store: Store, bytesMax = SNAPSHOT_BYTES_MAX) {
    this.#store = store;
    this.#bytesMax = bytesMax;
    this.#all = Array.from(store.chainSnapshots(), ({ id, block, bytes }) => ({
      id,
      block,
      bytes: bytes.length,
    }));
  }

  /** Oldest first. */
  get all(): readonly SnapshotReference[] {
    return this.#all.map(({ id, block }) => ({ id, block }));
  }

  has(id: number): boolean {
    return this.#all.some((snapshot) => snapshot.id === id);
  }

  /**
   * Adds a snapshot of the head with the stored pending transactions.
   * @returns its id
   * @throws RefusedError at the bounds, and as the store
   */
  add(held: SnapshotContent['held'], block: number): number {
    if (this.#all.length >= SNAPSHOTS_MAX) refuse({ code: 'tooManySnapshots', most: SNAPSHOTS_MAX });
    const names: string[] = [];
    const pending = Array.from(this.#store.pendingTransactions(), (record) => {
      const { sequence, bytes } = record;
      const name = nameOf(record);
      names.push(name);
      const holder = this.#holders.get(name);
      return { sequence, bytes: holder === undefined ? bytes : encodeHolder(holder) };
    });
    const bytes = encodeSnapshot({ held, pending });
    const most = this.#bytesMax;
    const total = this.#all.reduce((sum, snapshot) => sum + snapshot.bytes, bytes.length);
    if (total > most) refuse({ code: 'snapshotsTooLarge', most });
    const id = this.#store.addChainSnapshot(bytes);
    this.#all.push({ id, block, bytes: bytes.length });
    this.#holders = new Map(names.map((name) => [name, this.#holders.get(name) ?? id]));
    return id;
  }

  /**
   * Reads a snapshot in steps, between which it may be removed.
   * @returns undefined if it is unknown
   * @throws ChainDamagedError for a record that cannot be read
   */
  *read(id: number): Generator<void, ReadSnapshot | undefined> {
    const own = this.#contentOf(id);
    if (own === undefined) return undefined;
    const lengths = sidecarLengths(this.#store.sidecars());
    const holders = own.pending.map((record) => holderIn(record) ?? id);
    const bytes = new Map<number, Uint8Array>();
    for (const holder of new Set(holders)) {
      const content = this.#contentOf(holder);
      if (content === undefined) return this.#missing(id, holder);
      const held = new Map(content.pending.map((record) => [record.sequence, record.bytes]));
      for (const [index, { sequence }] of own.pending.entries()) {
        const found = holders[index] === holder ? held.get(sequence) : undefined;
        // A copy, so that the record of the other snapshot is not kept.
        if (found !== undefined) bytes.set(sequence, found.slice());
      }
      yield;
    }
    const pending: RestoredTransaction[] = [];
    for (const [index, { sequence }] of own.pending.entries()) {
      const found = bytes.get(sequence);
      if (found === undefined) return this.#missing(id, holders[index] ?? id);
      const record = { sequence, bytes: found };
      pending.push({ record, pending: readPendingTransaction(record, lengths) });
      yield;
    }
    return { held: own.held, pending, holders };
  }

  /** Removes those that a revert has removed from the store. @param restored the one that it went to */
  removeReverted(restored?: ReadSnapshot): void {
    while (this.#all.length > 0 && this.#store.chainSnapshot(this.#newest) === undefined) this.#all.pop();
    const now: Iterable<[string, number]> =
      restored === undefined
        ? this.#holders
        : restored.pending.map(({ record }, index) => {
            const holder = restored.holders[index];
            invariant(holder !== undefined, 'each transaction has a holder');
            return [nameOf(record), holder];
          });
    this.#holders = new Map([...now].filter(([, holder]) => holder <= this.#newest));
  }

  /** Id of the newest one; 0 without one. */
  get #newest(): number {
    return this.#all.at(-1)?.id ?? 0;
  }

  #contentOf(id: number): SnapshotContent | undefined {
    const snapshot = this.#store.chainSnapshot(id);
    return snapshot && decodeSnapshot(snapshot);
  }

  #missing(id: number, holder: number): undefined {
    if (this.#store.chainSnapshot(id) === undefined) return undefined;
    throw new ChainDamagedError(`the snapshot ${id} has a transaction that the snapshot ${holder} lacks`);
  }
}

/** Names a pending transaction: its sequence may be used again. */
function nameOf({ sequence, bytes }: PendingRecord): string {
  return `${sequence}:${bytesToHex(sha256(bytes))}`;
}
