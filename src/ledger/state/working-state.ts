import { type BlockContext, Engine, type EvmBuild, type EvmChange, type Host } from '../../evm/index.ts';
import { type Address, bytesToHex, type Hash, invariant } from '../../protocol/index.ts';
import { type ChainReader, type StateChange, stateKey } from '../../store/index.ts';
import type { Chain } from '../chain/chain.ts';
import { accountRecordOf } from '../chain/records.ts';
import { type BlockHashes, StoreHost, trimmedWord } from './engine-host.ts';
import { removedEntry } from './fork-base.ts';
import { NativeState } from './native-state.ts';
import type { StateReader } from './state-reader.ts';
import type { StateRules } from './state-rules.ts';

export interface StateMark {
  readonly evm: ReturnType<Engine['checkpoint']>;
  readonly native: number;
}

/** The parts of a state on another host; absent: those of the state that it is made from. */
interface HostedState {
  readonly store?: StateReader;
  readonly native?: NativeState;
  readonly build?: EvmBuild;
}

/** The state that a block or a chain of pending transactions is applied to: EVM tables and native records. */
export class WorkingState {
  readonly rules: StateRules;
  readonly engine: Engine;
  readonly native: NativeState;
  readonly #store: StateReader;
  #block: BlockContext | undefined;

  private constructor(store: StateReader, rules: StateRules, engine: Engine, native: NativeState) {
    this.#store = store;
    this.rules = rules;
    this.engine = engine;
    this.native = native;
  }

  /** Opens a state that starts from the store. @param recordsConsole true if executions report calls of the console */
  static async open(
    store: ChainReader,
    chain: Chain,
    rules: StateRules,
    recordsConsole = false,
  ): Promise<WorkingState> {
    const native = new NativeState(store);
    const host = new StoreHost(store, chain, native, rules);
    const { hardfork, codeSizeLimit } = rules;
    const engine = await Engine.create({ hardfork, codeSizeLimit, host, recordsConsole });
    return new WorkingState(store, rules, engine, native);
  }

  /** The block in whose context operations are applied. */
  get block(): BlockContext {
    invariant(this.#block !== undefined, 'a state has a block before operations are applied');
    return this.#block;
  }

  /** Sets the block in whose context operations are applied. */
  setBlock(block: BlockContext): void {
    this.#block = block;
    this.engine.setBlock(block);
  }

  /** Opens another state that starts from the store. */
  another(chain: Chain): WorkingState {
    return this.over(this.#store, chain);
  }

  /** Opens a state that starts from another store, by default with the same rules. */
  over(store: StateReader, chain: BlockHashes, rules: StateRules = this.rules): WorkingState {
    const native = new NativeState(store);
    const engine = this.engine.another(new StoreHost(store, chain, native, rules), { rules });
    return new WorkingState(store, rules, engine, native);
  }

  /** Opens a state with the same rules on another host, by default with the store and the build of this one. */
  onHost(host: Host, { store = this.#store, native = this.native, build }: HostedState = {}): WorkingState {
    return new WorkingState(store, this.rules, this.engine.another(host, { build }), native);
  }

  /** Returns the balance of an address in whole units of the core asset. */
  balanceOf(address: Address): bigint {
    const wei = this.engine.balanceOf(address);
    return this.rules.weiPerUnit === 1n ? wei : wei / this.rules.weiPerUnit;
  }

  codeAt(address: Address): Uint8Array {
    return this.engine.codeAt(address);
  }

  storageAt(address: Address, slot: Hash): Uint8Array {
    return this.engine.storageAt(address, slot);
  }

  /** Adds units of the core asset to a balance. */
  credit(address: Address, units: bigint): void {
    this.engine.credit(address, this.inWei(units));
  }

  /** Subtracts units of the core asset from a balance. Returns false and changes nothing if it is too small. */
  debit(address: Address, units: bigint): boolean {
    return this.engine.debit(address, this.inWei(units));
  }

  /** Converts units of the core asset to wei. */
  inWei(units: bigint): bigint {
    return this.rules.weiPerUnit === 1n ? units : units * this.rules.weiPerUnit;
  }

  mark(): StateMark {
    return { evm: this.engine.checkpoint(), native: this.native.mark() };
  }

  revertTo(mark: StateMark): void {
    this.engine.revertTo(mark.evm);
    this.native.revertTo(mark.native);
  }

  /** Lists everything that differs from the store, as entries of its state table. */
  changes(): StateChange[] {
    const changes = evmStateChanges(this.engine.changes(), this.#store, this.rules);
    this.native.addChanges(changes);
    return changes;
  }

  /** Marks the current state as stored. */
  settle(): void {
    this.engine.settle();
    this.native.settle();
  }

  /** Discards all changes since the store. */
  discard(): void {
    this.engine.discard();
    this.native.discard();
  }

  /** Clears everything in memory, for a store that was changed by another state. */
  clear(): void {
    this.engine.clear();
    this.native.clear();
  }
}

/**
 * Translates the engine's changes into entries of the store's state table. Above a base, the engine's previous value
 * may be that of the base, so that the store's is looked up, and removals are entries.
 */
function evmStateChanges(
  changes: readonly EvmChange[],
  store: StateReader,
  { weiPerUnit, base }: Pick<StateRules, 'weiPerUnit' | 'base'>,
): StateChange[] {
  const removed = base && removedEntry(base);
  const entries: StateChange[] = [];
  const cleared = clearedAddresses(changes);
  const written = cleared && new Map<string, Uint8Array | undefined>();
  for (const change of changes) {
    switch (change.kind) {
      case 'account': {
        const key = stateKey.account(change.address);
        const before =
          base === undefined ? change.before && accountRecordOf(change.before, weiPerUnit) : store.state(key);
        entries.push({
          key,
          before,
          after: change.after === undefined ? removed : accountRecordOf(change.after, weiPerUnit),
        });
        break;
      }
      case 'storage': {
        const key = stateKey.storage(change.address, change.slot);
        const after = trimmedWord(change.after) ?? removed;
        if (cleared?.has(bytesToHex(change.address)) === true) written?.set(bytesToHex(key), after);
        else {
          const before = base === undefined ? trimmedWord(change.before) : store.state(key);
          entries.push({ key, before, after });
        }
        break;
      }
      case 'code':
        if (store.state(stateKey.code(change.codeHash)) === undefined) {
          entries.push({ key: stateKey.code(change.codeHash), before: undefined, after: change.code });
        }
        break;
      case 'storageCleared':
        break;
    }
  }
  if (cleared === undefined || written === undefined) return entries;
  for (const address of cleared.values()) {
    entries.push(...clearedStorage(address, written, store, removed));
  }
  return entries;
}

/** Returns the addresses whose storage was cleared, by their digits; undefined for none. */
function clearedAddresses(changes: readonly EvmChange[]): Map<string, Address> | undefined {
  let cleared: Map<string, Address> | undefined;
  for (const change of changes) {
    if (change.kind !== 'storageCleared') continue;
    cleared ??= new Map();
    cleared.set(bytesToHex(change.address), change.address);
  }
  return cleared;
}

/** Yields the cleared slots of a self-destructed contract (before Cancun), and those written later. */
function* clearedStorage(
  address: Address,
  written: Map<string, Uint8Array | undefined>,
  store: StateReader,
  removed: Uint8Array | undefined,
): Iterable<StateChange> {
  for (const { key, value } of store.stateEntries(stateKey.storagePrefix(address))) {
    const name = bytesToHex(key);
    yield { key, before: value, after: written.get(name) ?? removed };
    written.delete(name);
  }
  const prefix = bytesToHex(stateKey.storagePrefix(address));
  for (const [name, after] of written) {
    if (!name.startsWith(prefix) || after === undefined) continue;
    yield { key: Buffer.from(name, 'hex'), before: undefined, after };
  }
}

/**
 * The state at the head. Blocks are applied to it, and reads use it. While a block is applied in several slices, it
 * keeps this state, and reads use another one that starts from the store.
 */
export class HeadState {
  /** Blocks are applied to this state; between blocks it holds nothing that is not stored. */
  readonly applying: WorkingState;
  readonly #chain: Chain;
  /** The state for reads meanwhile, made when a block first takes more than one slice. */
  #readingCopy: WorkingState | undefined;
  #isApplying = false;

  constructor(applying: WorkingState, chain: Chain) {
    this.applying = applying;
    this.#chain = chain;
  }

  /** The state for reads of the head; it may change with each iteration of the event loop. */
  get reading(): WorkingState {
    if (!this.#isApplying) return this.applying;
    this.#readingCopy ??= this.applying.another(this.#chain);
    return this.#readingCopy;
  }

  /** Clears everything in memory, while nothing is being applied, after a change of the store. */
  reload(): void {
    this.applying.clear();
    this.#readingCopy?.clear();
  }

  /** Pauses the applied block: until it continues, reads use another state. */
  pauseBlock(): void {
    this.#isApplying = true;
  }

  /** Ends the block: the state is the head's again. */
  endBlock(): void {
    if (!this.#isApplying) return;
    this.#isApplying = false;
    this.#readingCopy?.clear();
  }
}
