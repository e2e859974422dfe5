import type { BlockContext, EvmChange, Execution, Hardfork, Log, Message } from '../../evm/index.ts';
import { EtherLogs } from '../../evm/index.ts';
import { type Address, bytesToHex, type Hash, toHash } from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import type { WorkingState } from '../state/working-state.ts';
import { throwCallError } from '../transactions/apply-transaction.ts';
import { executeTransaction } from './execution.ts';
import { type AccountOverride, overriddenPrecompiles, type StateOverlay } from './overrides.ts';

/** A call of a simulated block. With a gas price its sender pays for the gas, which the fee recipient receives. */
export interface SimulatedCall
  extends Pick<
    Message,
    | 'caller'
    | 'to'
    | 'value'
    | 'data'
    | 'gas'
    | 'gasPrice'
    | 'accessList'
    | 'authorizationList'
    | 'blobHashes'
  > {
  /** Wei that its sender pays for the blobs. */
  readonly blobFee: bigint;
}

/** The outcome of a simulated call. */
export interface SimulatedExecution extends Execution {
  /** Its logs, including those of ether transfers, as of a token, if transfers are traced. */
  readonly shownLogs: readonly Log[];
}

/** Runs work on a separate state under an overlay, which is cleared afterwards. */
export type StateRunner = <T>(overlay: StateOverlay, work: (state: WorkingState) => T) => T;

export interface SimulationOptions {
  /** Time limit of all blocks together. */
  readonly milliseconds: number;
  /** True to include transfers of ether in the logs; the state then reports calls to its listeners. */
  readonly tracesTransfers: boolean;
}

/** The state within a simulated block. */
export interface SimulatedState {
  nonceOf(address: Address): bigint;
  /** Returns a balance in wei. */
  balanceOf(address: Address): bigint;
  /** Adds wei to a balance. */
  credit(address: Address, wei: bigint): void;
  /**
   * Runs a call as a transaction with the next nonce of its sender. A nonce of 2^64 - 1 is followed by 0, as in geth.
   * @throws RefusedError after the time limit, or if the engine has no room
   */
  run(call: SimulatedCall): SimulatedExecution;
}

/** Changes of an account by the simulation; undefined fields are unchanged. */
interface ChangedAccount {
  readonly address: Address;
  balance: bigint | undefined;
  nonce: bigint | undefined;
  code: Uint8Array | undefined;
  /** True if no other slots exist. */
  whole: boolean;
  readonly slots: Map<string, { readonly slot: Hash; readonly value: Hash }>;
}

const NO_CODE = new Uint8Array(0);

/** Blocks of calls, each on the state after the previous ones; nothing is stored. */
export class Simulation {
  readonly #onState: StateRunner;
  readonly #hardfork: Hardfork;
  readonly #tracesTransfers: boolean;
  readonly #seconds: number;
  readonly #deadline: number;
  readonly #changed = new Map<string, ChangedAccount>();
  readonly #blockHashes = new Map<bigint, Hash>();

  constructor(
    onState: StateRunner,
    hardfork: Hardfork,
    { milliseconds, tracesTransfers }: SimulationOptions,
  ) {
    this.#onState = onState;
    this.#hardfork = hardfork;
    this.#tracesTransfers = tracesTransfers;
    this.#seconds = milliseconds / 1_000;
    this.#deadline = performance.now() + milliseconds;
  }

  /**
   * Runs a block on the state after the previous ones. The overridden accounts stay as they are for later blocks, but
   * the precompiled contracts do not, as in geth.
   * @throws RefusedError for a precompiled contract that cannot be moved
   */
  block<T>(
    block: BlockContext,
    overrides: readonly AccountOverride[],
    work: (state: SimulatedState) => T,
  ): T {
    const precompiles = overriddenPrecompiles(overrides, this.#hardfork);
    for (const override of overrides) this.#override(override);
    const overlay = { accounts: this.#accounts(), precompiles, blockHashes: this.#blockHashes };
    return this.#onState(overlay, (state) => {
      const result = work({
        nonceOf: (address) => state.engine.accountState(address)?.nonce ?? 0n,
        balanceOf: (address) => state.engine.balanceOf(address),
        credit: (address, wei) => state.engine.credit(address, wei),
        run: (call) => this.#run(state, block, call),
      });
      this.keep(state.engine.changes());
      return result;
    });
  }

  /** Sets the hash of a simulated block, which later ones read by BLOCKHASH. */
  setBlockHash(number: bigint, hash: Hash): void {
    this.#blockHashes.set(number, hash);
  }

  #run(state: WorkingState, block: BlockContext, call: SimulatedCall): SimulatedExecution {
    const { engine } = state;
    const { caller, to, value, data, gas, gasPrice, accessList, authorizationList, blobHashes } = call;
    if (performance.now() > this.#deadline) refuse({ code: 'callTimedOut', seconds: this.#seconds });
    engine.setBlock(block);
    engine.debit(caller, call.blobFee);
    const payForGas = gasPrice > 0n;
    const deadline = this.#deadline;
    const message = { caller, to, value, data, gas, gasPrice, accessList, authorizationList, blobHashes };
    const etherLogs = this.#tracesTransfers ? new EtherLogs() : undefined;
    engine.listener = etherLogs;
    try {
      const execution = executeTransaction(engine, block, { ...message, payForGas, deadline });
      return { ...execution, shownLogs: etherLogs?.logs ?? execution.logs };
    } catch (error) {
      throwCallError(error, this.#seconds);
    } finally {
      engine.listener = undefined;
    }
  }

  #accounts(): AccountOverride[] {
    return Array.from(this.#changed.values(), ({ address, balance, nonce, code, whole, slots }) => {
      const storage = whole || slots.size > 0 ? { whole, slots: [...slots.values()] } : undefined;
      return { address, balance, nonce, code, storage };
    });
  }

  #accountAt(address: Address): ChangedAccount {
    const key = bytesToHex(address);
    const known = this.#changed.get(key);
    if (known !== undefined) return known;
    const slots: ChangedAccount['slots'] = new Map();
    const account = { address, balance: undefined, nonce: undefined, code: undefined, whole: false, slots };
    this.#changed.set(key, account);
    return account;
  }

  #override({ address, balance, nonce, code, storage }: AccountOverride): void {
    const account = this.#accountAt(address);
    account.balance = balance ?? account.balance;
    account.nonce = nonce ?? account.nonce;
    account.code = code ?? account.code;
    if (storage === undefined) return;
    if (storage.whole) {
      account.whole = true;
      account.slots.clear();
    }
    for (const entry of storage.slots) account.slots.set(bytesToHex(entry.slot), entry);
  }

  /** Records changes of the state, which later blocks see. */
  keep(changes: readonly EvmChange[]): void {
    const codes = new Map<string, Uint8Array>();
    for (const change of changes) {
      if (change.kind === 'code') codes.set(bytesToHex(change.codeHash), change.code);
    }
    for (const change of changes) {
      if (change.kind === 'code') continue;
      const account = this.#accountAt(change.address);
      switch (change.kind) {
        case 'account': {
          const { after } = change;
          account.balance = after?.balance ?? 0n;
          account.nonce = after?.nonce ?? 0n;
          const codeHash = after?.codeHash;
          if (codeHash === undefined) account.code = NO_CODE;
          else account.code = codes.get(bytesToHex(codeHash)) ?? account.code;
          break;
        }
        case 'storageCleared':
          account.whole = true;
          account.slots.clear();
          break;
        case 'storage':
          account.slots.set(bytesToHex(change.slot), { slot: change.slot, value: toHash(change.after) });
      }
    }
  }
}
