import { Common, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM, type EVMResult, type InterpreterStep } from '@ethereumjs/evm';
import { Account, Address as OracleAddress } from '@ethereumjs/util';
import { bytesToHex, toAddress } from '../../protocol/index.ts';
import { isSince } from '../index.ts';
import {
  addressesOf,
  formatLog,
  type Outcome,
  type OutcomeAccount,
  slotBytes,
  wordOf,
} from './differential.testing.ts';
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
import type { Step } from './steps.testing.ts';

/** Runs transactions with another implementation, `@ethereumjs/evm`. */

/** Runs a scenario with `@ethereumjs/evm`, with the steps of a transaction around its call. */
export async function runWithOracle(scenario: Scenario, trace?: (step: Step) => void): Promise<Outcome> {
  const common = new Common({ chain: Mainnet, hardfork: scenario.hardfork });
  const evm = await createEVM({ common });
  if (trace !== undefined) evm.events.on('step', (event) => trace(stepOf(event)));
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
  await destroyContracts(evm, scenario, result);
  await evm.journal.cleanup();
  const { exceptionError, executionGasUsed, gasRefund = 0n, logs = [], returnValue } = result.execResult;
  const gasSpent = intrinsicGas + executionGasUsed;
  const charge = gasSpent - (gasRefund < gasSpent / 5n ? gasRefund : gasSpent / 5n);
  const floor = floorOf(scenario);
  const gasUsed = charge < floor ? floor : charge;
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
    // Before Paris the opcode gives the difficulty: the ledger has none, and gives its randomness in every hard fork.
    difficulty: wordOf(BLOCK.randomness),
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
  await state.putAccount(new OracleAddress(SENDER), new Account(SENDER_NONCE - 1n, balance));
  for (const [index, code] of scenario.contracts.entries()) {
    const address = new OracleAddress(contractAddressOf(index));
    await state.putAccount(address, new Account(1n, CONTRACT_BALANCE));
    await state.putCode(address, code);
    for (const [slot, value] of initialStorage(index)) {
      await state.putStorage(address, slotBytes(slot), Uint8Array.of(Number(value)));
    }
  }
  const warm = [SENDER];
  if (isSince(scenario.hardfork, 'shanghai')) warm.push(COINBASE);
  if (scenario.target !== undefined) warm.push(contractAddressOf(scenario.target));
  for (const precompile of evm.precompiles.keys()) evm.journal.addAlwaysWarmAddress(precompile);
  for (const address of warm) evm.journal.addAlwaysWarmAddress(bytesToHex(address));
}

/** Intrinsic gas by EIP-2028 (data), EIP-2 (creation) and EIP-3860 (init code, from Shanghai on). */
function intrinsicGasOf({ data, target, hardfork }: Scenario): bigint {
  let gas = 21_000;
  for (const byte of data) gas += byte === 0 ? 4 : 16;
  if (target === undefined) gas += 32_000;
  if (target === undefined && isSince(hardfork, 'shanghai')) gas += 2 * Math.ceil(data.length / 32);
  return BigInt(gas);
}

/** The least charge (EIP-7623, from Prague on). */
function floorOf({ data, hardfork }: Scenario): bigint {
  if (!isSince(hardfork, 'prague')) return 0n;
  const tokens = data.reduce((sum, byte) => sum + (byte === 0 ? 1 : 4), 0);
  return BigInt(21_000 + 10 * tokens);
}

/** Destroys the contracts that destroyed themselves, from Cancun on only those of the transaction (EIP-6780). */
async function destroyContracts(evm: EVM, { hardfork }: Scenario, { execResult }: EVMResult): Promise<void> {
  for (const address of execResult.selfdestruct?.keys() ?? []) {
    if (isSince(hardfork, 'cancun') && !execResult.createdAddresses?.has(address)) continue;
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
      nonce: account.nonce,
      codeHash: account.isContract() ? bytesToHex(account.codeHash) : undefined,
      storage,
    };
  }
  return accounts;
}

/** A step in the engine's form. */
function stepOf({ depth, pc, opcode, gasLeft, gasRefund, stack, memoryWordCount }: InterpreterStep): Step {
  return {
    depth,
    programCounter: pc,
    opcode: opcode.code,
    gas: gasLeft,
    refund: gasRefund,
    stackHeight: stack.length,
    stackTop: stack.at(-1),
    memorySize: Number(memoryWordCount) * 32,
  };
}
