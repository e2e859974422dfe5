import { randomBytes } from 'node:crypto';
import { CLOCK_TIME_MAX } from '../consensus.ts';
import {
  bytesToHex,
  type Hash,
  LatticeAccumulator,
  type SignedTransaction,
  toHash,
} from '../protocol/index.ts';
import { REVERT_BATCH_RECORDS, type RevertPlan, type Store, type StoreReader } from '../store/index.ts';
import { completeJob, type Job } from '../time/job.ts';
import { storedGenesis } from './blocks/genesis-block.ts';
import type { LedgerSettings } from './blocks/miner.ts';
import { planRevert } from './blocks/revert-chain.ts';
import { SYSTEM_TIMING } from './chain/clock.ts';
import { ChainDamagedError } from './errors/chain-errors.ts';
import { refuse } from './errors/refusal.ts';
import { genesisNumberOf } from './genesis/genesis.ts';
import { isTestGenesis } from './genesis/test-genesis.ts';
import type { Ledger } from './ledger.ts';
import { ChainSnapshots, type SnapshotReference } from './pool/index.ts';
import {
  encodeRestored,
  heldMining,
  heldSettings,
  restoredSince,
  settingsPart,
  settingsRestoredSince,
} from './snapshot-settings.ts';
import type { ForkBase } from './state/fork-base.ts';

/** A part outside of the ledger that a snapshot includes. */
export interface SnapshotPart {
  /** Name in the records of snapshots; another form of the data needs another name. */
  readonly name: string;
  /** Returns the data of a snapshot, as JSON; `undefined` if it equals that at the start of the node. */
  capture(): unknown;
  /** Restores data, except for objects that no longer exist; `undefined` restores the start of the node. */
  restore(captured: unknown): void;
  /** The part of it that is stored in a file between two runs; absent: none. */
  readonly kept?: StoredPart | undefined;
}

/** Data in a file outside the store, which a revert to a snapshot may make stale. */
export interface StoredPart {
  /** Returns the store's reorganisation count at the last write of the file; 0 without one. */
  reorgCount(): number;
  /** Restores data at the start of the node that could not be written before. */
  catchUp(held: unknown): void;
}

/** Further dependencies of a test chain. */
export interface TestChainOptions {
  /** Parts of snapshots, restored in this order after the ledger's settings. */
  readonly parts?: readonly SnapshotPart[];
  /** File of the times and the gas limit of the ledger's blocks; absent: none. */
  readonly storedTimes?: Pick<StoredPart, 'reorgCount'> | undefined;
  /** Called after the settings and the further parts were restored. */
  readonly onRestored?: () => void;
  /** Runs a long job in slices, synchronously if one is enough; absent: at once. */
  readonly run?: <T>(job: Job<T>) => T | Promise<T>;
}

/** Name of the state root in a snapshot, which verifies the restored state. */
const ROOT = 'stateRoot';

/** Controls a test chain: snapshots, reverts, reorganisations, resets. */
export class TestChain {
  readonly #ledger: Ledger;
  readonly #store: Store;
  readonly #parts: readonly SnapshotPart[];
  readonly #onRestored: (() => void) | undefined;
  /** The settings at the start of the node. */
  readonly #settings: LedgerSettings;
  readonly #snapshots: ChainSnapshots;
  readonly #run: NonNullable<TestChainOptions['run']>;
  #instanceId = newInstanceId();

  /**
   * Completes a revert of the previous process that ended before the files outside the store were restored.
   * @throws ChainDamagedError for an unreadable record, and as the parts
   */
  constructor(ledger: Ledger, store: Store, options: TestChainOptions = {}) {
    const { parts = [], run = completeJob } = options;
    this.#ledger = ledger;
    this.#store = store;
    this.#parts = parts;
    this.#onRestored = options.onRestored;
    this.#settings = { ...ledger.miner.settings, timing: SYSTEM_TIMING, gasLimit: undefined };
    this.#snapshots = new ChainSnapshots(store);
    this.#run = run;
    this.#catchUp(options.storedTimes);
    ledger.history.onReorg(() => this.#snapshots.removeReverted());
  }

  /** Id of the running chain: a new one after each start and each reset, when clients must forget the previous one. */
  get instanceId(): Hash {
    return this.#instanceId;
  }

  /** The snapshots that the chain can be reverted to, oldest first. */
  get snapshots(): readonly SnapshotReference[] {
    return this.#snapshots.all;
  }

  /**
   * Takes a snapshot of the chain, pending transactions, the clock, block production and the further parts.
   * @returns its id, which is never reused on the chain
   * @throws RefusedError for too many or too large ones, and as the store
   */
  takeSnapshot(): number {
    const held = settingsPart(this.#ledger.miner.settings);
    held.set(ROOT, this.#stateRoot());
    for (const part of this.#parts) held.set(part.name, part.capture());
    return this.#snapshots.add(held, this.#ledger.blocks.head().number);
  }

  /**
   * Reverts everything to a snapshot and removes later ones. A long revert is planned in slices first; blocks that come
   * meanwhile are reverted too.
   * @param keep true to keep the snapshot itself
   * @returns false for an unknown snapshot; nothing is changed then
   * @throws ChainDamagedError, and as `Ledger.chain.revertTo`; nothing is changed then
   */
  revertToSnapshot(id: number, keep: boolean): boolean | Promise<boolean> {
    return this.#run(this.#reverting(id, keep));
  }

  *#reverting(id: number, keep: boolean): Generator<void, boolean> {
    const snapshot = this.#store.chainSnapshot(id);
    if (snapshot === undefined) return false;
    const read = yield* this.#snapshots.read(id);
    if (read === undefined) return false;
    const { block, patches } = snapshot;
    const plan = yield* this.#planned(block, patches);
    // Another request may have removed it meanwhile.
    if (!this.#snapshots.has(id)) return false;
    const { held, pending } = read;
    const { mining } = this.#settings;
    const settings = { mining: heldMining(held) ?? mining, ...heldSettings(held, `the snapshot ${id}`) };
    const patched = { patches, root: readRoot(held.get(ROOT), id) };
    const snapshotsFrom = keep ? id + 1 : id;
    const former = { settings, patched, pending, snapshotsFrom, restored: encodeRestored(held) };
    this.#ledger.chain.revertTo(block, former, plan);
    this.#snapshots.removeReverted(read);
    this.#restoreParts(held);
    return true;
  }

  /**
   * Reverts the newest blocks, in slices as `revertToSnapshot` does. Pending transactions stay; snapshots of these
   * blocks are removed; nothing else changes.
   * @param depth number of blocks; at most the number of the head
   * @throws RefusedError without undo records, and as `Ledger.chain.revertTo`
   */
  rollBack(depth: number): void | Promise<void> {
    if (depth === 0) return;
    const to = this.#ledger.blocks.head().number - depth;
    this.#requireKept(to);
    return this.#run(this.#rollingBack(to));
  }

  *#rollingBack(to: number): Generator<void, void> {
    const plan = yield* this.#planned(to);
    // Another request may have reverted more blocks meanwhile.
    if (to < this.#ledger.blocks.head().number) this.#ledger.chain.revertTo(to, {}, plan);
  }

  /** Plans a revert in steps. */
  *#planned(block: number, patches = 0): Generator<void, RevertPlan> {
    const plan = planRevert(this.#store, block, patches);
    while (plan.read(REVERT_BATCH_RECORDS)) yield;
    return plan;
  }

  /**
   * Replaces the newest blocks by the same number of blocks, each with another id.
   * @param depth number of blocks; at most the number of the head
   * @param transactionsOf makes, at the time of its block, each transaction of the new block with an index, from 0 on
   * @throws as `rollBack`, and nothing is changed then; the first error of a transaction, which is in no block
   */
  reorganize(
    depth: number,
    transactionsOf: (index: number) => readonly (() => SignedTransaction)[],
  ): void | Promise<void> {
    if (depth === 0) return;
    const to = this.#ledger.blocks.head().number - depth;
    this.#requireKept(to);
    return this.#run(this.#replacing(to, depth, transactionsOf));
  }

  *#replacing(
    to: number,
    depth: number,
    transactionsOf: (index: number) => readonly (() => SignedTransaction)[],
  ): Generator<void, void> {
    const { blocks, chain, history } = this.#ledger;
    const plan = yield* this.#planned(to);
    const former = blocks.blockByNumber(to + 1);
    // Another request may have reverted them meanwhile.
    if (former === undefined) refuse({ code: 'revertedMeanwhile' });
    chain.revertTo(to, {}, plan);
    const { reorgCount } = history;
    const failures: unknown[] = [];
    for (let index = 0; index < depth; index += 1) {
      if (index > 0) yield;
      if (history.reorgCount !== reorgCount) refuse({ code: 'revertedMeanwhile' });
      const earliest = index === 0 ? former.header.timestamp + 1 : 0;
      failures.push(...this.#remake(transactionsOf(index), earliest));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Makes a block of given transactions. Returns the errors of those that it omits. */
  #remake(makers: readonly (() => SignedTransaction)[], earliest: number): unknown[] {
    const failures: unknown[] = [];
    const transactions: SignedTransaction[] = [];
    for (const make of makers) {
      try {
        transactions.push(make());
      } catch (error) {
        failures.push(error);
      }
    }
    const { blocks, clock, miner } = this.#ledger;
    const timestamp = Math.max(earliest, blocks.head().header.timestamp, clock.now());
    return [...failures, ...miner.mineOnly(transactions, Math.min(timestamp, CLOCK_TIME_MAX))];
  }

  /**
   * Reverts everything to the genesis and to the start of the node; removes all snapshots and pending transactions.
   * @param time at which the clock continues, in Unix seconds; absent: the machine's
   * @throws RefusedError without undo records, and as `Ledger.chain.revertTo`
   */
  reset(time?: number): void | Promise<void> {
    const first = genesisNumberOf(this.#ledger.parameters.genesis);
    this.#requireKept(first);
    return this.#run(this.#resetting(first, time));
  }

  *#resetting(first: number, time: number | undefined): Generator<void, void> {
    const plan = yield* this.#planned(first);
    const settings = this.#settingsAhead(time === undefined ? 0 : time - this.#machineTime());
    const held = settingsPart(settings);
    const former = { settings, pending: [], snapshotsFrom: 0, restored: encodeRestored(held) };
    this.#ledger.chain.revertTo(first, former, plan);
    this.#restoreParts(held);
    this.#instanceId = newInstanceId();
  }

  /**
   * Replaces the chain by another one, and everything else by the start of the node; removes all snapshots.
   * @param source a checked chain
   * @param ahead seconds that its clock was ahead
   * @param base the state at the block of a fork; absent: that of the present chain
   * @throws RefusedError for a chain that is not in test mode, and as `Ledger.chain.replaceChain`; nothing is changed
   *   then
   */
  replace(source: StoreReader, ahead: number, base?: ForkBase): void {
    const genesis = storedGenesis(source);
    if (genesis === undefined || !isTestGenesis(genesis)) refuse({ code: 'notTestChain' });
    const settings = this.#settingsAhead(ahead);
    const held = settingsPart(settings);
    this.#ledger.chain.replaceChain(source, genesis, settings, encodeRestored(held), base);
    this.#restoreParts(held);
    this.#instanceId = newInstanceId();
  }

  /** Returns the settings at the start of the node, with a clock that is ahead by as many seconds as possible. */
  #settingsAhead(ahead: number): LedgerSettings {
    const latest = CLOCK_TIME_MAX - this.#machineTime();
    return { ...this.#settings, timing: { ...SYSTEM_TIMING, ahead: Math.min(ahead, latest) } };
  }

  /** Returns the machine's time in Unix seconds. */
  #machineTime(): number {
    const { clock } = this.#ledger;
    return clock.now() - clock.timing.ahead;
  }

  #restoreParts(held: ReadonlyMap<string, unknown>): void {
    for (const part of this.#parts) part.restore(held.get(part.name));
    this.#onRestored?.();
  }

  /** Restores the files that were written before the last revert. */
  #catchUp(storedTimes: Pick<StoredPart, 'reorgCount'> | undefined): void {
    const settings = storedTimes && settingsRestoredSince(this.#store, storedTimes.reorgCount());
    if (settings !== undefined) {
      this.#ledger.clock.setTiming(settings.timing);
      this.#ledger.miner.setGasLimit(settings.gasLimit);
    }
    for (const { name, kept } of this.#parts) {
      const held = kept && restoredSince(this.#store, kept.reorgCount());
      if (held !== undefined) kept?.catchUp(held.get(name));
    }
  }

  /** State root of the head without later patches, in hexadecimal. */
  #stateRoot(): string {
    return bytesToHex(new LatticeAccumulator(this.#store.accumulator()).digest());
  }

  #requireKept(block: number): void {
    const oldest = this.#ledger.history.oldestState;
    if (block < oldest) refuse({ code: 'blockNotKept', block, oldest });
  }
}

/** @throws ChainDamagedError for a snapshot without a valid root */
function readRoot(held: unknown, id: number): string {
  if (typeof held === 'string') return held;
  throw new ChainDamagedError(`the snapshot ${id} holds no root of the state`);
}

function newInstanceId(): Hash {
  return toHash(randomBytes(32));
}
