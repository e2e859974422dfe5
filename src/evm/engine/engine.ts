import { CONTRACT_CODE_BYTES_MAX, EVM_MEMORY_BYTES_MAX, EXECUTION_GAS_MAX } from '../../consensus.ts';
import { type Address, type Hash, invariant } from '../../protocol/index.ts';
import { REVERT, SUCCESS } from '../assembly/halt.ts';
import * as layout from '../assembly/layout.ts';
import { EngineError } from '../engine-error.ts';
import { haltReasonOf } from '../halt-reason.ts';
import {
  chargedGas,
  type EvmRules,
  HARDFORKS,
  initCodeBytesMax,
  type MessageGas,
  maximum,
  messageGas,
} from '../hardfork.ts';
import type { PrecompileNumbers } from '../precompiles/registry.ts';
import type {
  AccountState,
  BaseFees,
  BlockContext,
  Checkpoint,
  Creation,
  EvmChange,
  Execution,
  Host,
  Message,
} from '../types.ts';
import { type EvmBuild, type EvmModule, instantiateEvm, loadEvmModule } from '../wasm-module.ts';
import { ConsoleCalls } from './console-calls.ts';
import {
  readAccount,
  readChanges,
  readCode,
  readCreations,
  readLogs,
  readSlots,
  WasmMemory,
  writeBlock,
} from './engine-memory.ts';
import type { EngineInstance, EngineOptions } from './engine-options.ts';
import { countPrecompiles, createImports, type ImportContext } from './host-imports.ts';
import { applyAuthorizations, rejected, timeCheck, warmAccessList, writeMessage } from './message-input.ts';
import type { TraceListener } from './tracing.ts';

/** EVM memory that an engine retains between blocks (64 MiB); an engine that exceeds it is replaced. */
const EVM_MEMORY_RETAINED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The EVM with its state. Loads accessed entries from the host once and caches them in its tables; journals changes
 * until they are settled or discarded. Everything is synchronous.
 *
 * When the host or the engine throws, the engine is cleared: unsettled changes are lost.
 */
export class Engine {
  readonly rules: EvmRules;
  readonly #host: Host;
  /** Receives the events of the build; set between executions. */
  listener: TraceListener | undefined;
  readonly #console: ConsoleCalls | undefined;
  readonly #compiled: WebAssembly.Module;
  /** Made on first use: a chain that runs no code has none. */
  #instance: EngineInstance | undefined;
  #block: BlockContext | undefined;
  #fees: BaseFees | undefined;
  #precompiles: PrecompileNumbers | undefined;
  /** Throws when the running execution is out of time; undefined without a deadline. */
  #checkTime: (() => void) | undefined;
  /** True while a function calls the engine. */
  #isRunning = false;
  /** Reads since the tables were checked. */
  #reads = 0;

  /** Compiles the build, unless the process has done so, and creates an engine. */
  static async create(options: EngineOptions): Promise<Engine> {
    return new Engine(loadEvmModule(options.build ?? 'evm'), options);
  }

  /** Creates an engine on another host, by default with the rules and the build of this one. */
  another(
    host: Host,
    { rules = this.rules, build }: { readonly rules?: EvmRules; readonly build?: EvmBuild | undefined } = {},
  ): Engine {
    const compiled = build === undefined ? this.#compiled : loadEvmModule(build);
    const recordsConsole = this.#console !== undefined;
    return new Engine(compiled, { ...rules, host, recordsConsole });
  }

  private constructor(
    compiled: WebAssembly.Module,
    { hardfork, codeSizeLimit, host, recordsConsole }: EngineOptions,
  ) {
    this.rules = { hardfork, codeSizeLimit };
    this.#host = host;
    this.#compiled = compiled;
    this.#console = recordsConsole === true ? new ConsoleCalls() : undefined;
  }

  get #module(): EvmModule {
    return (this.#instance ?? this.#open()).module;
  }

  get #memory(): WasmMemory {
    return (this.#instance ?? this.#open()).memory;
  }

  #open(): EngineInstance {
    this.#instance = this.#instantiate();
    return this.#instance;
  }

  /** @param replaces true in place of an instance that grew too large or was aborted */
  #instantiate(replaces = false): EngineInstance {
    const engine = this;
    const context: ImportContext = {
      host: this.#host,
      get listener() {
        return engine.listener;
      },
      console: this.#console,
      hardfork: this.rules.hardfork,
      get module() {
        return engine.#module;
      },
      get memory() {
        return engine.#memory;
      },
      get blockNumber() {
        return engine.#block?.number ?? 0n;
      },
      get precompiles() {
        return engine.#precompiles;
      },
      get checkTime() {
        return engine.#checkTime;
      },
    };
    const module = instantiateEvm(this.#compiled, createImports(context));
    const { hardfork, codeSizeLimit = CONTRACT_CODE_BYTES_MAX } = this.rules;
    const precompiles = countPrecompiles(hardfork);
    const number = HARDFORKS.indexOf(hardfork);
    const arena = module.initialise(number, precompiles, EVM_MEMORY_BYTES_MAX, codeSizeLimit);
    invariant(arena === layout.ARENA, 'build/evm.wasm was built from these sources');
    if (this.#precompiles !== undefined) module.overridePrecompiles(1);
    const memory = new WasmMemory(module.memory, replaces);
    if (this.#block !== undefined) writeBlock(memory, this.#block, this.#fees);
    return { module, memory };
  }

  /** Runs a function that calls the engine. Replaces the instance if it throws. */
  #guard<T>(run: () => T, message?: Message): T {
    if (this.#isRunning) return run();
    this.#isRunning = true;
    let result: T;
    try {
      result = run();
    } catch (error) {
      this.#instance = this.#instantiate(true);
      if (error instanceof WebAssembly.RuntimeError) throw new EngineError('trapped', { cause: error });
      throw error;
    } finally {
      this.#isRunning = false;
    }
    if (this.#host.requireComplete !== undefined) this.#requireComplete(message);
    return result;
  }

  /** Clears the engine and throws if its tables contain guesses of the host. */
  #requireComplete(message: Message | undefined): void {
    try {
      this.#host.requireComplete?.(message);
    } catch (error) {
      this.clear();
      throw error;
    }
  }

  /** Sets the block that code sees. @param fees prices in place of those of the block */
  setBlock(block: BlockContext, fees: BaseFees = block): void {
    const { baseFee, blobBaseFee } = this.#fees ?? {};
    if (block === this.#block && fees.baseFee === baseFee && fees.blobBaseFee === blobBaseFee) return;
    this.#block = block;
    this.#fees = fees;
    if (this.#instance !== undefined) writeBlock(this.#memory, block, fees);
  }

  /** Sets the precompiled contracts of the following executions; undefined: those of the hard fork. */
  setPrecompiles(precompiles: PrecompileNumbers | undefined): void {
    if (precompiles === this.#precompiles) return;
    this.#precompiles = precompiles;
    this.#instance?.module.overridePrecompiles(precompiles === undefined ? 0 : 1);
  }

  /** Returns the account at an address; undefined if none exists. */
  accountState(address: Address): AccountState | undefined {
    this.#noteRead();
    return readAccount(this.#memory, this.#account(address));
  }

  /** Returns the balance of an address in wei, 0 without an account. */
  balanceOf(address: Address): bigint {
    this.#noteRead();
    return this.#memory.readWord(this.#account(address) + layout.ACCOUNT_BALANCE);
  }

  /** Returns the 32 bytes of a storage slot. */
  storageAt(address: Address, slot: Hash): Uint8Array {
    this.#noteRead();
    return this.#guard(() => {
      const account = this.#account(address);
      this.#memory.writeWordBytes(layout.EXCHANGE_KEY, slot);
      const entry = this.#module.findSlot(account, layout.EXCHANGE_KEY);
      return this.#memory.readWordBytes(entry + layout.SLOT_VALUE);
    });
  }

  /** Lists the slots of an account that are in the tables, in the order of their first access. */
  slotsInTables(address: Address): Hash[] {
    return readSlots(this.#memory, this.#account(address));
  }

  /** Returns the code at an address; no bytes without code. */
  codeAt(address: Address): Uint8Array {
    this.#noteRead();
    return this.#guard(() => readCode(this.#memory, this.#module.codeOf(this.#account(address))));
  }

  /** Bounds the tables between executions: clients may read any number of accounts and slots. */
  #noteRead(): void {
    if (this.#isRunning) return;
    this.#reads = (this.#reads + 1) % READS_BETWEEN_TRIMS;
    if (this.#reads === 0) this.#trimTables();
  }

  #account(address: Address): number {
    const { memory } = this.#instance ?? this.#open();
    memory.writeWordBytes(layout.EXCHANGE_KEY, address);
    return this.#guard(this.#findAccount);
  }

  /** Made once, since accounts are looked up often. */
  readonly #findAccount = (): number => {
    const { module } = this.#instance ?? this.#open();
    return module.findAccount(layout.EXCHANGE_KEY);
  };

  /** Adds to a balance, in wei; journalled. */
  credit(address: Address, amount: bigint): void {
    if (amount === 0n) return;
    this.#setBalance(address, this.balanceOf(address) + amount);
  }

  /** Subtracts from a balance, in wei; journalled. Returns false, and changes nothing, if it is too small. */
  debit(address: Address, amount: bigint): boolean {
    if (amount === 0n) return true;
    const balance = this.balanceOf(address);
    if (balance < amount) return false;
    this.#setBalance(address, balance - amount);
    return true;
  }

  #setBalance(address: Address, balance: bigint): void {
    const account = this.#account(address);
    this.#memory.writeWord(layout.EXCHANGE_VALUE, balance);
    this.#guard(() => this.#module.setBalanceFromHost(account, layout.EXCHANGE_VALUE));
  }

  /** Sets an account's nonce; journalled. Executions increase only the nonces of contracts. */
  setNonce(address: Address, nonce: bigint): void {
    const account = this.#account(address);
    this.#guard(() => this.#module.setNonceFromHost(account, nonce));
  }

  /** Returns the current state for `revertTo`. */
  checkpoint(): Checkpoint {
    return this.#module.journalEnd.value as Checkpoint;
  }

  /** Reverts executions, credits and debits since a checkpoint. @throws EngineError for an invalid checkpoint */
  revertTo(checkpoint: Checkpoint): void {
    const isReverted = this.#guard(() => this.#module.revertTo(checkpoint));
    if (isReverted === 0) throw new EngineError('staleCheckpoint');
  }

  /**
   * Runs one transaction. Its changes stay in the journal until `revertTo`, `discard` or `settle`; after a revert or a
   * halt only the charge for gas remains.
   *
   * @throws EngineError when the engine's tables are full, or at the deadline; unsettled changes are lost then
   */
  execute(message: Message): Execution {
    if (message.gas < 0n || message.gas > EXECUTION_GAS_MAX) throw new EngineError('gasOutOfRange');
    this.#checkTime = timeCheck(message.deadline);
    try {
      return this.#guard(() => this.#checkAndRun(message), message);
    } finally {
      // Reads between executions have no deadline.
      this.#checkTime = undefined;
    }
  }

  #checkAndRun(message: Message): Execution {
    this.#trimTables();
    const { data, gas, accessList, authorizationList } = message;
    const creates = message.to === undefined;
    const gasBounds =
      message.gasBounds ?? messageGas(this.rules.hardfork, { data, creates, accessList, authorizationList });
    const price = message.payForGas ? message.gasPrice : 0n;
    if (gas < maximum(gasBounds.intrinsic, gasBounds.floor)) return rejected('intrinsicGasTooLow');
    if (creates && data.length > initCodeBytesMax(this.rules)) return rejected('initCodeTooLarge');
    const cost = price === 0n ? message.value : gas * price + message.value;
    if (cost !== 0n && this.balanceOf(message.caller) < cost) return rejected('insufficientBalance');
    return this.#run(message, gasBounds, price);
  }

  #run(message: Message, { intrinsic, floor }: MessageGas, price: bigint): Execution {
    const { caller, data, gas } = message;
    const module = this.#module;
    const memory = this.#memory;
    const { listener } = this;
    const calls = Number(listener !== undefined);
    const steps = Number(listener?.step !== undefined);
    module.setTracing(calls, steps, this.#console === undefined ? 0 : 1);
    module.setPathTracing(Number(listener?.needsPaths === true));
    this.#console?.begin();
    module.beginTransaction();
    memory.writeNumber(layout.TIME_IS_READ, 0);
    if (price !== 0n) this.debit(caller, gas * price);
    const target = message.to ?? message.newAddress ?? this.#nextAddress(caller);
    if (message.authorizationList !== undefined) {
      applyAuthorizations(module, memory, message.authorizationList, this.#block?.chainId);
    }
    if (message.accessList !== undefined) warmAccessList(module, memory, message.accessList);
    writeMessage(module, memory, message, target, gas - intrinsic);
    module.runTransaction(message.to === undefined ? 1 : 0, data.length);

    const spent = gas - memory.readLong(layout.OUTCOME_GAS);
    const needed = intrinsic + memory.readLong(layout.OUTCOME_GAS_NEEDED);
    const gasNeeded = maximum(maximum(needed, spent), floor);
    const gasUsed = chargedGas(spent, memory.readLong(layout.OUTCOME_REFUND), floor);
    const gasBeforeRefund = maximum(spent, floor);
    if (price !== 0n) this.credit(caller, (gas - gasUsed) * price);
    module.endTransaction();
    module.closeTransaction();
    return this.#outcome(
      { gasUsed, gasBeforeRefund, gasNeeded },
      message.to === undefined ? target : undefined,
    );
  }

  #nextAddress(caller: Address): Address {
    const nonce = this.accountState(caller)?.nonce ?? 0n;
    return this.#host.createAddress(caller, nonce, this.#module.creationCount.value);
  }

  #outcome(
    { gasUsed, gasBeforeRefund, gasNeeded }: Pick<Execution, 'gasUsed' | 'gasBeforeRefund' | 'gasNeeded'>,
    created: Address | undefined,
  ): Execution {
    const memory = this.#memory;
    const code = memory.readNumber(layout.OUTCOME_STATUS);
    const output = memory.read(layout.RETURN_DATA, memory.readNumber(layout.OUTCOME_DATA_LENGTH));
    const logs = readLogs(memory, memory.readNumber(layout.OUTCOME_LOGS));
    const burned = memory.readWord(layout.OUTCOME_BURNED);
    const consoleCalls = this.#console?.take();
    const readsTime = memory.readNumber(layout.TIME_IS_READ) !== 0;
    // Listed one by one: spreading an unknown object costs more than a small call.
    const common = {
      gasUsed,
      gasBeforeRefund,
      gasNeeded,
      output,
      logs,
      burned,
      ...(consoleCalls && { consoleCalls }),
      ...(readsTime && { readsTime }),
    };
    if (code === REVERT) return { status: 'revert', ...common };
    if (code !== SUCCESS) return { status: 'halt', halt: haltReasonOf(code), ...common };
    return { status: 'success', ...common, ...(created && { contractAddress: created }) };
  }

  /** Lists the contracts created since the last settlement, in order, without reverted ones. */
  creations(): readonly Creation[] {
    return readCreations(this.#memory, this.#module.creationCount.value);
  }

  /** Returns the net differences between the last settled state and the current one. */
  changes(): readonly EvmChange[] {
    return this.#guard(() => readChanges(this.#module, this.#memory));
  }

  /** Makes the current state the settled one: the host has stored its changes. Keeps the tables. */
  settle(): void {
    if (this.#instance === undefined) return;
    this.#module.settle();
    this.#trimTables();
  }

  /** Reverts to the settled state. Keeps the tables. */
  discard(): void {
    if (this.#instance === undefined) return;
    this.#module.revertJournal(layout.JOURNAL);
    this.#module.settle();
    this.#trimTables();
  }

  /** Empties the tables and discards unsettled changes. */
  clear(): void {
    this.#instance?.module.emptyTables();
  }

  /** Bounds tables and memory, between transactions. Replaces or empties them only without unsettled changes. */
  #trimTables(): void {
    const flags = this.#module.trimTables();
    if ((flags & layout.TABLES_HAVE_CHANGES) !== 0) return;
    const used = this.#memory.readNumber(layout.ARENA_USED_END) - layout.ARENA;
    const isTooLarge = used > EVM_MEMORY_RETAINED_BYTES_MAX;
    if (isTooLarge || (flags & layout.GENERATIONS_RUN_OUT) !== 0) this.#instance = this.#instantiate(true);
    else if ((flags & layout.TABLES_ARE_HALF_FULL) !== 0) this.#module.emptyTables();
  }
}

/** Reads between executions after which the tables are checked: far fewer than fill their second half. */
const READS_BETWEEN_TRIMS = 4_096;
