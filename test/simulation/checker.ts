import {
  compareChains,
  type DroppedTransaction,
  type RefusedError,
  verifyState,
} from '../../src/ledger/index.ts';
import {
  blockCodec,
  blockId,
  bytesToHex,
  decode,
  equalBytes,
  type SignedTransaction,
  transactionId,
} from '../../src/protocol/index.ts';
import type { Store } from '../../src/store/index.ts';
import type { LogServers } from './block-log.ts';
import { TakenPlaces } from './ethereum-transactions.ts';

/** A transaction for which a machine has given its hash. */
interface Answered {
  readonly id: string;
  readonly machine: string;
  readonly transaction: SignedTransaction;
  /** Reason of a later rejection by the rules, after which the machine dropped it; undefined before. */
  refused: string | undefined;
  /** True if the machine that accepted it has lost its disk since. */
  isLost: boolean;
}

/** Reasons by which the rules reject a transaction finally; no other reason allows dropping it. */
const RULES: ReadonlySet<RefusedError['reason']['code']> = new Set<RefusedError['reason']['code']>([
  'expired',
  'insufficientFunds',
  'alreadyIncluded',
  'referenceBlockUnknown',
  'nonceTooLow',
  'replaced',
  'insufficientWei',
]);

/** Checks the guarantees at each step and at the end. */
export class Checker {
  readonly violations: string[] = [];
  readonly #answered = new Map<string, Answered>();
  readonly #log: LogServers;
  /** Ids of the blocks that were signed, by key and number. */
  readonly #signed = new Map<string, string>();

  constructor(log: LogServers) {
    this.#log = log;
  }

  violate(message: string): void {
    this.violations.push(message);
  }

  /** A key has signed a block, or a signed block is about to leave its process. */
  signed(key: string, number: number, block: Uint8Array): void {
    const { transactions: _transactions, ...header } = decode(blockCodec, block);
    const id = bytesToHex(blockId(number, header));
    const name = `${number} with ${key.slice(0, 8)}`;
    const before = this.#signed.get(name);
    if (before === undefined) this.#signed.set(name, id);
    else if (before !== id) this.violate(`two blocks were signed of number ${name}: ${before} and ${id}`);
  }

  /** A machine is about to store a block. */
  stored(machine: string, number: number, record: Uint8Array): void {
    if (number === 0) return;
    const id = this.#log.idOf(number);
    if (id === undefined) this.violate(`${machine} stores block ${number}, which the log does not have`);
    else if (!startsWith(record, id))
      this.violate(`${machine} stores another block ${number} than the log has`);
  }

  /** Notes that a machine accepted a transaction; returns its id. */
  answer(machine: string, transaction: SignedTransaction): string {
    const id = bytesToHex(transactionId(transaction));
    this.#answered.set(`${id} ${machine}`, { id, machine, transaction, refused: undefined, isLost: false });
    return id;
  }

  /** A machine has a transaction no longer. */
  dropped(machine: string, { transaction, error }: DroppedTransaction): void {
    const { code } = error.reason;
    const found = this.#answered.get(`${bytesToHex(transactionId(transaction))} ${machine}`);
    if (found === undefined) return;
    if (RULES.has(code)) found.refused = code;
    else this.violate(`${machine} drops ${found.id}, for which it has answered, since ${code}`);
  }

  /** A machine has another disk. */
  lostDisk(machine: string): void {
    for (const answered of this.#answered.values()) if (answered.machine === machine) answered.isLost = true;
  }

  /** Lists accepted transactions that are neither included nor expired nor rejected yet. */
  open(): readonly unknown[] {
    const included = this.#included();
    const headTime = this.headTime();
    const places = this.#places();
    return [...this.#answered.values()].filter(
      ({ id, refused, isLost, transaction }) =>
        !included.has(id) &&
        refused === undefined &&
        !isLost &&
        transaction.expiration > headTime &&
        places.blockedBy(transaction) === undefined,
    );
  }

  /** Counts the transactions in the chain. */
  includedCount(): number {
    return this.#included().size;
  }

  /** Counts Ethereum's transactions among them. */
  ethereumCount(): number {
    return this.#places().count;
  }

  /** Counts the skipped producers in the chain. */
  passedOverCount(): number {
    return this.#log.blocks().reduce((sum, bytes) => sum + decode(blockCodec, bytes).attempt, 0);
  }

  /** Unix time of the newest block in seconds. */
  headTime(): number {
    const newest = this.#log.bytesOf(this.#log.head);
    return newest === undefined ? 0 : decode(blockCodec, newest).timestamp;
  }

  /**
   * Checks the final state, after all faults are repaired and all nodes have caught up.
   *
   * @param mended Unix time of the repair: transactions valid for long after it must be in the chain
   */
  async end(stores: ReadonlyMap<string, Store>, mended: number): Promise<void> {
    this.#checkBlocks();
    const included = this.#included();
    const places = this.#places();
    for (const misplaced of places.misplaced) this.violate(misplaced);
    for (const [id, count] of included) if (count > 1) this.violate(`${id} is in the chain ${count} times`);
    for (const { id, machine, refused, isLost, transaction } of this.#answered.values()) {
      if (included.has(id) || isLost || places.blockedBy(transaction) !== undefined) continue;
      const wasExpired = refused === undefined || refused === 'expired';
      if (wasExpired && transaction.expiration <= mended) continue;
      if (!wasExpired && refused !== 'alreadyIncluded') continue;
      this.violate(
        `${id}, for which ${machine} has answered, is not in the chain (${refused ?? 'and not refused'})`,
      );
    }
    await this.#checkStores(stores);
  }

  #checkBlocks(): void {
    const blocks = this.#log.blocks().map((bytes) => decode(blockCodec, bytes));
    let before: Uint8Array | undefined;
    blocks.forEach(({ transactions: _transactions, ...header }, index) => {
      if (Number(header.round) !== index + 1)
        this.violate(`the log has block ${header.round} as ${index + 1}`);
      if (before !== undefined && !equalBytes(header.previous, before)) {
        this.violate(`block ${index + 1} of the log does not follow the one before`);
      }
      before = blockId(index + 1, header);
    });
  }

  async #checkStores(stores: ReadonlyMap<string, Store>): Promise<void> {
    let first: readonly [string, Store] | undefined;
    for (const [machine, store] of stores) {
      const head = store.head();
      if (head !== this.#log.head)
        this.violate(`${machine} has ${head} blocks, and the log ${this.#log.head}`);
      if (first === undefined) {
        await this.#verify(machine, store);
        first = [machine, store];
        continue;
      }
      const difference = await compareChains(first[1], store);
      if (difference === undefined) continue;
      const { table, key } = difference;
      this.violate(`${first[0]} and ${machine} differ in ${table} ${bytesToHex(key)}`);
    }
  }

  async #verify(machine: string, store: Store): Promise<void> {
    try {
      await verifyState(store);
    } catch (error) {
      this.violate(`the state of ${machine} is not that of its blocks: ${String(error)}`);
    }
  }

  #places(): TakenPlaces {
    return new TakenPlaces(this.#log.blocks().flatMap((bytes) => decode(blockCodec, bytes).transactions));
  }

  /** Counts the occurrences of each transaction in the chain, by id. */
  #included(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const bytes of this.#log.blocks()) {
      for (const transaction of decode(blockCodec, bytes).transactions) {
        const id = bytesToHex(transactionId(transaction));
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    return counts;
  }
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return equalBytes(bytes.subarray(0, start.length), start);
}
