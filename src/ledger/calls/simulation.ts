import type { BlockContext, EvmChange, Execution, Log, Message } from '../../evm/index.ts';
import { EtherLogs } from '../../evm/index.ts';
import { type Address, bytesToHex, type Hash, toHash } from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import type { WorkingState } from '../state/working-state.ts';
import { throwCallError } from '../transactions/apply-transaction.ts';
import type { AccountOverride } from './overrides.ts';

/** A call of a simulated block; its sender pays no gas, even if code sees a price. */
export type SimulatedCall = Pick<
  Message,
  'caller' | 'to' | 'value' | 'data' | 'gas' | 'gasPrice' | 'accessList' | 'blobHashes'
>;

/** The outcome of a simulated call. */
export interface SimulatedExecution extends Execution {
  /** Its logs, including those of ether transfers, as of a token, if transfers are traced. */
  readonly shownLogs: readonly Log[];
}

/** Runs work on a separate state with overrides, which is cleared afterwards. */
export type StateRunner = <T>(overrides: readonly AccountOverride[], work: (state: WorkingState) => T) => T;

export interface SimulationOptions {
  /** Time limit of all blocks together. */
  readonly milliseconds: number;
  /** True to include transfers of ether in the logs; the state then reports calls to its listeners. */
  readonly tracesTransfers: boolean;
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
  readonly #tracesTransfers: boolean;
  readonly #seconds: number;
  readonly #deadline: number;
  readonly #changed = new Map<string, ChangedAccount>();

  constructor(onState: StateRunner, { milliseconds, tracesTransfers }: SimulationOptions) {
    this.#onState = onState;
    this.#tracesTransfers = tracesTransfers;
    this.#seconds = milliseconds / 1_000;
    this.#deadline = performance.now() + milliseconds;
  }

  /**
   * Runs the calls of a block, each on the state after the previous one.
   * @param gasMax gas limit of all of them together: the rest bounds each
   * @throws RefusedError after the time limit, or if the engine has no room
   */
  run(
    block: BlockContext,
    overrides: readonly AccountOverride[],
    calls: readonly SimulatedCall[],
    gasMax: bigint,
  ): SimulatedExecution[] {
    for (const override of overrides) this.#override(override);
    return this.#onState(this.#accounts(), (state) => {
      const executions: SimulatedExecution[] = [];
      let gasLeft = gasMax;
      for (const call of calls) {
        if (performance.now() > this.#deadline) refuse({ code: 'callTimedOut', seconds: this.#seconds });
        state.engine.setBlock(block);
        const gas = call.gas < gasLeft ? call.gas : gasLeft;
        const execution = this.#execute(state, this.#messageOf({ ...call, gas }));
        gasLeft -= execution.gasUsed < gasLeft ? execution.gasUsed : gasLeft;
        executions.push(execution);
      }
      this.#keep(state.engine.changes());
      return executions;
    });
  }

  #messageOf(call: SimulatedCall): Message {
    return { ...call, payForGas: false, deadline: this.#deadline };
  }

  #execute({ engine }: WorkingState, message: Message): SimulatedExecution {
    const etherLogs = this.#tracesTransfers ? new EtherLogs() : undefined;
    engine.listener = etherLogs;
    try {
      const execution = engine.execute(message);
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

  /** Records the changes of a block. */
  #keep(changes: readonly EvmChange[]): void {
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
