import { randomBytes } from 'node:crypto';
import { CLOCK_TIME_MAX } from '../consensus.ts';
import { SNAPSHOTS_MAX } from '../limits.ts';
import {
  bytesToHex,
  type Hash,
  LatticeAccumulator,
  type SignedTransaction,
  toHash,
} from '../protocol/index.ts';
import type { ChainSnapshot, ReversionPlan, Store, StoreReader } from '../store/index.ts';
import { storedGenesis } from './blocks/genesis-block.ts';
import type { LedgerSettings } from './blocks/production.ts';
import { planReversion } from './blocks/revert-chain.ts';
import { SYSTEM_TIMING } from './chain/clock.ts';
import { ChainDamagedError } from './errors/errors.ts';
import { refuse } from './errors/refusal.ts';
import { isTestGenesis } from './genesis/test-genesis.ts';
import type { Ledger } from './ledger.ts';
import {
  encodeRestored,
  heldOf,
  heldSettings,
  restoredSince,
  settingsRestoredSince,
} from './restored-record.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot-record.ts';

/** Something beside the chain and its ledger that a snapshot holds as well. */
export interface SnapshotPart {
  /** Its name in the records of snapshots: what is held in another form has another name. */
  readonly name: string;
  /** What is to be held, as JSON; `undefined` while all is as at the start of the node. */
  hold(): unknown;
  /** Takes up what was held, but for what belongs to something that is gone; `undefined`: what the node began with. */
  takeUp(held: unknown): void;
  /** What of it is kept between two runs, beside the store; absent: nothing. */
  readonly kept?: KeptPart | undefined;
}

/** Something that is kept between two runs beside the store, in a file that a return to a snapshot is ahead of. */
export interface KeptPart {
  /** The store's reorganisation count when it was kept last; 0 where it never was. */
  reorgCount(): number;
  /** Takes up, at the start of the node, what was held and could not be kept any more. */
  catchUp(held: unknown): void;
}

/** What a chain of test mode has to do with beside its ledger and its store. */
export interface TestChainOptions {
  /** Held in this order, and taken up after the ledger's own. */
  readonly parts?: readonly SnapshotPart[];
  /** Where times and gas limit of the ledger's blocks are kept, beside the store; absent: nowhere. */
  readonly keptTimes?: Pick<KeptPart, 'reorgCount'> | undefined;
  /** Absent: everything is read in one piece. */
  readonly readPlan?: ReadingPlans;
}

/** Has something read as a plan for taking blocks back, in slices: at once, or later where it takes longer. */
export type ReadingPlans = (plan: ReversionPlan) => void | Promise<void>;

/** A snapshot, without what it holds. */
export type SnapshotPlace = Pick<ChainSnapshot, 'id' | 'block'>;

/** Name of the root of the state, which proves that it came back. */
const ROOT = 'stateRoot';

/** What a test can do to a chain, beside sending: snapshots, and taking blocks back. */
export class TestChain {
  readonly #ledger: Ledger;
  readonly #store: Store;
  readonly #parts: readonly SnapshotPart[];
  readonly #readPlan: ReadingPlans;
  /** What the node began with. */
  readonly #settings: LedgerSettings;
  /** Oldest first. */
  #snapshots: SnapshotPlace[] = [];
  #instanceId = newInstanceId();

  /**
   * Where the process before this one ended after blocks were taken back, and before what is kept beside the store
   * followed, it follows now.
   *
   * @throws ChainDamagedError where what it is to follow cannot be read, and what the parts throw
   */
  constructor(
    ledger: Ledger,
    store: Store,
    { parts = [], keptTimes, readPlan = () => undefined }: TestChainOptions = {},
  ) {
    this.#ledger = ledger;
    this.#store = store;
    this.#parts = parts;
    this.#readPlan = readPlan;
    this.#settings = { ...ledger.production.settings, timing: SYSTEM_TIMING, gasLimit: undefined };
    this.#list();
    this.#catchUp(keptTimes);
    ledger.history.onReorg(() => this.#list());
  }

  /** Another one after each start and after each reset: what was learnt of the chain under the former one is void. */
  get instanceId(): Hash {
    return this.#instanceId;
  }

  /** The snapshots that the chain can be taken back to, oldest first. */
  get snapshots(): readonly SnapshotPlace[] {
    return this.#snapshots;
  }

  /**
   * Takes a snapshot of the chain, what waits, the clock, the production of blocks and the further parts.
   *
   * @returns its id, which no other snapshot of the chain gets, ever
   * @throws RefusedError for more than `SNAPSHOTS_MAX`, and what the store throws
   */
  takeSnapshot(): number {
    if (this.#snapshots.length >= SNAPSHOTS_MAX) refuse({ code: 'tooManySnapshots', most: SNAPSHOTS_MAX });
    const held = heldOf(this.#ledger.production.settings);
    held.set(ROOT, this.#stateRoot());
    for (const part of this.#parts) held.set(part.name, part.hold());
    const pending = [...this.#store.pendingTransactions()];
    const id = this.#store.addChainSnapshot(encodeSnapshot({ held, pending }));
    this.#snapshots.push({ id, block: this.#ledger.blocks.head().number });
    return id;
  }

  /**
   * Takes everything back to a snapshot; those that were taken later are gone then. Where that takes long, what there
   * is to be read is read in slices before; what comes meanwhile is taken back as well.
   *
   * @param keep whether it can be gone back to once more
   * @returns false where there is no such snapshot, or no more; nothing is changed then
   * @throws ChainDamagedError, and what `Ledger.chain.revertTo` throws; nothing is changed then
   */
  revertToSnapshot(id: number, keep: boolean): boolean | Promise<boolean> {
    const snapshot = this.#store.chainSnapshot(id);
    if (snapshot === undefined) return false;
    const { block, patches } = snapshot;
    return this.#planned(block, patches, (plan) => this.#revertToSnapshot(id, keep, plan));
  }

  #revertToSnapshot(id: number, keep: boolean, plan: ReversionPlan): boolean {
    const snapshot = this.#store.chainSnapshot(id);
    if (snapshot === undefined) return false;
    const { held, pending } = decodeSnapshot(snapshot);
    const settings = heldSettings(held, `the snapshot ${id}`);
    const patched = { patches: snapshot.patches, root: readRoot(held.get(ROOT), id) };
    const snapshotsFrom = keep ? id + 1 : id;
    const former = { settings, patched, pending, snapshotsFrom, restored: encodeRestored(held) };
    this.#ledger.chain.revertTo(snapshot.block, former, plan);
    this.#takeUp(held);
    return true;
  }

  /**
   * Takes the newest blocks back, in slices as `revertToSnapshot` does. What waits waits on, and nothing else is
   * changed; snapshots of these blocks are gone.
   *
   * @param depth how many; at most the number of the head
   * @throws RefusedError where what they overwrote is not kept, and what `Ledger.chain.revertTo` throws
   */
  rollBack(depth: number): void | Promise<void> {
    if (depth === 0) return;
    const to = this.#ledger.blocks.head().number - depth;
    this.#requireKept(to);
    return this.#planned(to, 0, (plan) => {
      // Somebody else may have taken more back meanwhile.
      if (to < this.#ledger.blocks.head().number) this.#ledger.chain.revertTo(to, {}, plan);
    });
  }

  /** Carries out what a plan is for once it has been read, now where that is so at once. */
  #planned<T>(block: number, patches: number, action: (plan: ReversionPlan) => T): T | Promise<T> {
    const plan = planReversion(this.#store, block, patches);
    const reading = this.#readPlan(plan);
    return reading instanceof Promise ? reading.then(() => action(plan)) : action(plan);
  }

  /**
   * Takes the newest blocks back, and makes as many others. Each has another id than the one of before had.
   *
   * @param depth how many; at most the number of the head
   * @param transactionsOf makes, at the time of its block, each transaction of the new block at a place, from 0 on
   * @throws what `rollBack` throws, and nothing is changed then; the first error of a transaction, which is in no block
   */
  reorganize(depth: number, transactionsOf: (place: number) => readonly (() => SignedTransaction)[]): void {
    const former = this.#ledger.blocks.blockByNumber(this.#ledger.blocks.head().number - depth + 1);
    const to = this.#ledger.blocks.head().number - depth;
    if (depth > 0) {
      this.#requireKept(to);
      this.#ledger.chain.revertTo(to);
    }
    const failures: unknown[] = [];
    for (let place = 0; place < depth; place += 1) {
      const transactions: SignedTransaction[] = [];
      for (const make of transactionsOf(place)) {
        try {
          transactions.push(make());
        } catch (error) {
          failures.push(error);
        }
      }
      const earliest = place === 0 && former !== undefined ? former.header.timestamp + 1 : 0;
      const timestamp = Math.max(
        earliest,
        this.#ledger.blocks.head().header.timestamp,
        this.#ledger.clock.now(),
      );
      failures.push(...this.#ledger.production.mineOnly(transactions, Math.min(timestamp, CLOCK_TIME_MAX)));
    }
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Takes everything back to the genesis, and to what the node began with; all snapshots are gone, and nothing waits.
   *
   * @throws RefusedError where what blocks overwrote is not kept, and what `Ledger.chain.revertTo` throws
   */
  reset(): void | Promise<void> {
    this.#requireKept(0);
    return this.#planned(0, 0, (plan) => {
      const settings = this.#settings;
      const held = heldOf(settings);
      const former = { settings, pending: [], snapshotsFrom: 0, restored: encodeRestored(held) };
      this.#ledger.chain.revertTo(0, former, plan);
      this.#takeUp(held);
      this.#instanceId = newInstanceId();
    });
  }

  /**
   * Puts another chain in the place of this one, and all else to what the node began with; all snapshots are gone.
   *
   * @param source holds a checked chain
   * @param ahead seconds that its clock was ahead
   * @throws RefusedError for a chain that is not one of test mode, and what `Ledger.chain.replaceChain` throws; nothing
   *   is changed then
   */
  replace(source: StoreReader, ahead: number): void {
    const genesis = storedGenesis(source);
    if (genesis === undefined || !isTestGenesis(genesis)) refuse({ code: 'notTestChain' });
    const latest = CLOCK_TIME_MAX - (this.#ledger.clock.now() - this.#ledger.clock.timing.ahead);
    const settings = { ...this.#settings, timing: { ...SYSTEM_TIMING, ahead: Math.min(ahead, latest) } };
    const held = heldOf(settings);
    this.#ledger.chain.replaceChain(source, genesis, settings, encodeRestored(held));
    this.#takeUp(held);
    this.#instanceId = newInstanceId();
  }

  #takeUp(held: ReadonlyMap<string, unknown>): void {
    for (const part of this.#parts) part.takeUp(held.get(part.name));
  }

  /** What was kept before the chain was taken back the last time is of another past. */
  #catchUp(keptTimes: Pick<KeptPart, 'reorgCount'> | undefined): void {
    const settings = keptTimes && settingsRestoredSince(this.#store, keptTimes.reorgCount());
    if (settings !== undefined) {
      this.#ledger.clock.setTiming(settings.timing);
      this.#ledger.production.setGasLimit(settings.gasLimit);
    }
    for (const { name, kept } of this.#parts) {
      const held = kept && restoredSince(this.#store, kept.reorgCount());
      if (held !== undefined) kept?.catchUp(held.get(name));
    }
  }

  /** In hexadecimal: that of the head, but for patches after it. */
  #stateRoot(): string {
    return bytesToHex(new LatticeAccumulator(this.#store.accumulator()).digest());
  }

  #requireKept(block: number): void {
    const oldest = this.#ledger.history.oldestKept;
    if (block < oldest) refuse({ code: 'blockNotKept', block, oldest });
  }

  #list(): void {
    this.#snapshots = Array.from(this.#store.chainSnapshots(), ({ id, block }) => ({ id, block }));
  }
}

/** @throws ChainDamagedError for what a snapshot does not hold like that */
function readRoot(held: unknown, id: number): string {
  if (typeof held === 'string') return held;
  throw new ChainDamagedError(`the snapshot ${id} holds no root of the state`);
}

function newInstanceId(): Hash {
  return toHash(randomBytes(32));
}
