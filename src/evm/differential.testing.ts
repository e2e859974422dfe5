import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM, type EVMResult } from '@ethereumjs/evm';
import { Account, createContractAddress, Address as OracleAddress } from '@ethereumjs/util';
import { type Address, bytesToHex, type Hash, keccak256, toAddress, toHash } from '../protocol/index.ts';
import type { AccountState, Engine, EvmChange, Execution, Host } from './index.ts';
import { contractAddressOf, numberedAddress, SLOTS } from './random-program.testing.ts';

/**
 * Runs one transaction with the engine and with another implementation, `@ethereumjs/evm`, by the rules of
 * the Cancun fork, and tells what came of it in one form, so that the two can be compared.
 */

/** A transaction and the contracts that it may meet. */
export interface Scenario {
  /** Codes of the contracts at `contractAddressOf(0)` and so on. */
  readonly contracts: readonly Uint8Array[];
  /** Contract that is called; undefined for a creation, whose `data` is the init code. */
  readonly target: number | undefined;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly gas: bigint;
}

/** What came of a transaction, as plain values. */
export interface Outcome {
  readonly status: Execution['status'];
  /** The charge: intrinsic gas included, refunds deducted. */
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

interface OutcomeAccount {
  readonly balance: bigint;
  readonly counter: bigint;
  readonly codeHash: string | undefined;
  /** Values of the slots that programs use. */
  readonly storage: readonly bigint[];
}

const SENDER = numberedAddress(0x5e0de5);
const COINBASE = numberedAddress(0xc01bba5e);
const SENDER_BALANCE = 10n ** 18n;
/** The nonce that the sender's transaction has used up. */
const SENDER_COUNTER = 2n;
const CONTRACT_BALANCE = 1_000n;
const GAS_PRICE = 10n;

const BLOCK = {
  number: 1_000n,
  timestamp: 1_700_000_000n,
  gasLimit: 30_000_000n,
  baseFee: 7n,
  randomness: toHash(new Uint8Array(32).fill(0xa5)),
};

/** The storage that contract `index` starts with, by slot. */
function initialStorage(index: number): readonly (readonly [slot: bigint, value: bigint])[] {
  return SLOTS.slice(0, index % (SLOTS.length + 1)).map((slot, position) => [slot, BigInt(position + 1)]);
}

/** Runs a scenario with an engine whose host is the one of `createScenarioHost`. */
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
      counter: state.counter,
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

/** Addresses of interest: those of the scenario and those that the engine has changed. */
function addressesOf(scenario: Scenario, changed: readonly (Address | undefined)[]): Address[] {
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

  /** Takes on the accounts of a scenario in place of those before. */
  load(scenario: Scenario): void {
    this.#accounts.clear();
    this.#storage.clear();
    this.#codes.clear();
    const sender = { balance: SENDER_BALANCE, counter: SENDER_COUNTER, codeHash: undefined };
    this.#accounts.set(bytesToHex(SENDER), sender);
    scenario.contracts.forEach((code, index) => {
      const codeHash = keccak256(code);
      const key = bytesToHex(contractAddressOf(index));
      this.#codes.set(bytesToHex(codeHash), code);
      this.#accounts.set(key, { balance: CONTRACT_BALANCE, counter: 1n, codeHash });
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

  code(codeHash: Hash): Uint8Array {
    return this.#codes.get(bytesToHex(codeHash)) ?? new Uint8Array(0);
  }

  blockHash(): Hash | undefined {
    return undefined;
  }

  /**
   * Ethereum's rule: a hash of creator and nonce, of which the sender's has already counted this transaction.
   */
  createAddress(creator: Address, counter: bigint): Address {
    const isSender = bytesToHex(creator) === bytesToHex(SENDER);
    const nonce = isSender ? counter - 1n : counter;
    return toAddress(createContractAddress(new OracleAddress(creator), nonce).bytes);
  }
}

/** Runs a scenario with `@ethereumjs/evm`, with the steps of a transaction around its call. */
export async function runWithOracle(scenario: Scenario): Promise<Outcome> {
  const evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Cancun }) });
  const touched = recordAccounts(evm);
  await loadOracle(evm, scenario);
  const intrinsicGas = intrinsicGasOf(scenario);
  const result = await evm.runCall({
    caller: new OracleAddress(SENDER),
    to: scenario.target === undefined ? undefined : new OracleAddress(contractAddressOf(scenario.target)),
    value: scenario.value,
    data: scenario.data,
    gasLimit: scenario.gas - intrinsicGas,
    gasPrice: GAS_PRICE,
    block: { header: { ...oracleHeader(), getBlobGasPrice: () => 1n } },
  });
  await destroyContracts(evm, result);
  await evm.journal.cleanup();
  const { exceptionError, executionGasUsed, gasRefund = 0n, logs = [], returnValue } = result.execResult;
  const gasSpent = intrinsicGas + executionGasUsed;
  const gasUsed = gasSpent - (gasRefund < gasSpent / 5n ? gasRefund : gasSpent / 5n);
  return {
    status: exceptionError === undefined ? 'success' : exceptionError.error === 'revert' ? 'revert' : 'halt',
    gasUsed,
    output: bytesToHex(returnValue),
    logs: logs.map(([address, topics, data]) => formatLog(address, topics, data)),
    accounts: await oracleAccounts(evm, scenario, touched, (scenario.gas - gasUsed) * GAS_PRICE),
  };
}

function oracleHeader() {
  return {
    number: BLOCK.number,
    coinbase: new OracleAddress(COINBASE),
    timestamp: BLOCK.timestamp,
    difficulty: 0n,
    prevRandao: BLOCK.randomness,
    gasLimit: BLOCK.gasLimit,
    baseFeePerGas: BLOCK.baseFee,
  };
}

/** Notes the address of every account that is written. */
function recordAccounts(evm: EVM): Set<string> {
  const addresses = new Set<string>();
  const state = evm.stateManager;
  const putAccount = state.putAccount.bind(state);
  state.putAccount = (address, account) => {
    addresses.add(bytesToHex(address.bytes));
    return putAccount(address, account);
  };
  return addresses;
}

async function loadOracle(evm: EVM, scenario: Scenario): Promise<void> {
  const state = evm.stateManager;
  const balance = SENDER_BALANCE - scenario.gas * GAS_PRICE;
  // The call itself counts the sender's nonce up.
  await state.putAccount(new OracleAddress(SENDER), new Account(SENDER_COUNTER - 1n, balance));
  for (const [index, code] of scenario.contracts.entries()) {
    const address = new OracleAddress(contractAddressOf(index));
    await state.putAccount(address, new Account(1n, CONTRACT_BALANCE));
    await state.putCode(address, code);
    for (const [slot, value] of initialStorage(index)) {
      await state.putStorage(address, slotBytes(slot), Uint8Array.of(Number(value)));
    }
  }
  const warm = [SENDER, COINBASE];
  if (scenario.target !== undefined) warm.push(contractAddressOf(scenario.target));
  for (let precompile = 1; precompile <= 10; precompile += 1) warm.push(numberedAddress(precompile));
  for (const address of warm) evm.journal.addAlwaysWarmAddress(bytesToHex(address));
}

/** Intrinsic gas by EIP-2028 (data), EIP-2 (creation) and EIP-3860 (init code). */
function intrinsicGasOf(scenario: Scenario): bigint {
  let gas = 21_000;
  for (const byte of scenario.data) gas += byte === 0 ? 4 : 16;
  if (scenario.target === undefined) gas += 32_000 + 2 * Math.ceil(scenario.data.length / 32);
  return BigInt(gas);
}

/** Destroys the contracts that were created and have destroyed themselves in the transaction (EIP-6780). */
async function destroyContracts(evm: EVM, { execResult }: EVMResult): Promise<void> {
  for (const address of execResult.selfdestruct?.keys() ?? []) {
    if (!execResult.createdAddresses?.has(address)) continue;
    await evm.journal.deleteAccount(new OracleAddress(Buffer.from(address.slice(2), 'hex')));
  }
}

async function oracleAccounts(
  evm: EVM,
  scenario: Scenario,
  touched: ReadonlySet<string>,
  gasReturned: bigint,
): Promise<Outcome['accounts']> {
  const accounts: Record<string, OutcomeAccount | undefined> = {};
  const others = [...touched].map((hex) => toAddress(Buffer.from(hex, 'hex')));
  for (const address of addressesOf(scenario, others)) {
    const key = bytesToHex(address);
    const oracleAddress = new OracleAddress(address);
    const account = await evm.stateManager.getAccount(oracleAddress);
    if (account === undefined) {
      accounts[key] = undefined;
      continue;
    }
    const storage: bigint[] = [];
    for (const slot of SLOTS) {
      storage.push(wordOf(await evm.stateManager.getStorage(oracleAddress, slotBytes(slot))));
    }
    accounts[key] = {
      balance: account.balance + (key === bytesToHex(SENDER) ? gasReturned : 0n),
      counter: account.nonce,
      codeHash: account.isContract() ? bytesToHex(account.codeHash) : undefined,
      storage,
    };
  }
  return accounts;
}

/** A slot or a value as 32 big-endian bytes. */
function slotBytes(value: bigint): Hash {
  return toHash(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
}

/** The number that big-endian bytes stand for. */
function wordOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

function formatLog(
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
