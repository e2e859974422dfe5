import { createContractAddress, Address as OracleAddress } from '@ethereumjs/util';
import { type Address, bytesToHex, type Hash, keccak256, toAddress, toHash } from '../../protocol/index.ts';
import type { AccountState, Engine, EvmChange, Execution, Host } from '../index.ts';
import { contractAddressOf, SLOTS } from './random-program.testing.ts';
import {
  BLOCK,
  COINBASE,
  CONTRACT_BALANCE,
  GAS_PRICE,
  initialStorage,
  type Scenario,
  SENDER,
  SENDER_BALANCE,
  SENDER_NONCE,
} from './scenario.testing.ts';

/**
 * Runs one transaction with the engine, and returns its outcome in the format of `oracle.testing.ts`, which runs
 * another implementation, so that the two can be compared.
 */

/** The outcome of a transaction, as plain values. */
export interface Outcome {
  readonly status: Execution['status'];
  /** Charged gas: with the intrinsic gas, after refunds. */
  readonly gasUsed: bigint;
  readonly output: string;
  readonly logs: readonly {
    readonly address: string;
    readonly topics: readonly string[];
    readonly data: string;
  }[];
  /** Every account of interest by its address; absent ones are undefined. */
  readonly accounts: Readonly<Record<string, OutcomeAccount | undefined>>;
}

export interface OutcomeAccount {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly codeHash: string | undefined;
  /** Values of the slots that programs use. */
  readonly storage: readonly bigint[];
}

/** Runs a scenario with an engine on the host of `createScenarioHost`. */
export function runWithEngine(engine: Engine, host: ScenarioHost, scenario: Scenario): Outcome {
  host.load(scenario);
  engine.clear();
  engine.setBlock({ ...BLOCK, coinbase: COINBASE, chainId: 1n });
  const execution = engine.execute({
    caller: SENDER,
    to: scenario.target === undefined ? undefined : contractAddressOf(scenario.target),
    value: scenario.value,
    data: scenario.data,
    gas: scenario.gas,
    gasPrice: GAS_PRICE,
    payForGas: true,
  });
  const touched = engine.changes().map((change) => changedAddress(change));
  const accounts: Record<string, OutcomeAccount | undefined> = {};
  for (const address of addressesOf(scenario, touched)) {
    const state = engine.accountState(address);
    accounts[bytesToHex(address)] = state && {
      balance: state.balance,
      nonce: state.nonce,
      codeHash: state.codeHash && bytesToHex(state.codeHash),
      storage: SLOTS.map((slot) => wordOf(engine.storageAt(address, slotBytes(slot)))),
    };
  }
  return {
    status: execution.status,
    gasUsed: execution.gasUsed,
    output: bytesToHex(execution.output),
    logs: execution.logs.map(({ address, topics, data }) => formatLog(address, topics, data)),
    accounts,
  };
}

/** Addresses of interest: those of the scenario and those that were changed. */
export function addressesOf(scenario: Scenario, changed: readonly (Address | undefined)[]): Address[] {
  const addresses = [SENDER, COINBASE, ...scenario.contracts.map((_, index) => contractAddressOf(index))];
  return [...addresses, ...changed.filter((address) => address !== undefined)];
}

function changedAddress(change: EvmChange): Address | undefined {
  return change.kind === 'code' ? undefined : change.address;
}

/** A host that holds the accounts of one scenario at a time. */
export class ScenarioHost implements Host {
  readonly #accounts = new Map<string, AccountState>();
  readonly #storage = new Map<string, Uint8Array>();
  readonly #codes = new Map<string, Uint8Array>();

  /** Replaces the accounts by those of a scenario. */
  load(scenario: Scenario): void {
    this.#accounts.clear();
    this.#storage.clear();
    this.#codes.clear();
    const sender = { balance: SENDER_BALANCE, nonce: SENDER_NONCE, codeHash: undefined };
    this.#accounts.set(bytesToHex(SENDER), sender);
    scenario.contracts.forEach((code, index) => {
      const codeHash = keccak256(code);
      const key = bytesToHex(contractAddressOf(index));
      this.#codes.set(bytesToHex(codeHash), code);
      this.#accounts.set(key, { balance: CONTRACT_BALANCE, nonce: 1n, codeHash });
      for (const [slot, value] of initialStorage(index)) {
        this.#storage.set(key + bytesToHex(slotBytes(slot)), slotBytes(value));
      }
    });
  }

  account(address: Address): AccountState | undefined {
    return this.#accounts.get(bytesToHex(address));
  }

  storage(address: Address, slot: Hash): Uint8Array | undefined {
    return this.#storage.get(bytesToHex(address) + bytesToHex(slot));
  }

  mayHaveStorage(address: Address): boolean {
    return this.hasStorage(address);
  }

  hasStorage(address: Address): boolean {
    return [...this.#storage.keys()].some((name) => name.startsWith(bytesToHex(address)));
  }

  code(codeHash: Hash): Uint8Array {
    return this.#codes.get(bytesToHex(codeHash)) ?? new Uint8Array(0);
  }

  blockHash(): Hash | undefined {
    return undefined;
  }

  /** Ethereum's rule: a hash of creator and nonce, of which the sender's has already counted this transaction. */
  createAddress(creator: Address, nonceNow: bigint): Address {
    const isSender = bytesToHex(creator) === bytesToHex(SENDER);
    const nonce = isSender ? nonceNow - 1n : nonceNow;
    return toAddress(createContractAddress(new OracleAddress(creator), nonce).bytes);
  }
}

/** A slot or a value as 32 big-endian bytes. */
export function slotBytes(value: bigint): Hash {
  return toHash(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
}

/** Returns the number of big-endian bytes. */
export function wordOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

/** A log in the form in which outcomes are compared. */
export function formatLog(
  address: Uint8Array,
  topics: readonly Uint8Array[],
  data: Uint8Array,
): Outcome['logs'][number] {
  return {
    address: bytesToHex(address),
    topics: topics.map((topic) => bytesToHex(topic)),
    data: bytesToHex(data),
  };
}
