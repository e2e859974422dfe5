import { AMOUNT_MAX, BLOCK_NUMBER_MAX } from '../../consensus.ts';
import {
  type Genesis,
  Ledger,
  type Patch,
  pricesAfterFees,
  RefusedError,
  type SetBalance,
  type SetSlot,
  systemClock,
} from '../../ledger/index.ts';
import { type Address, equalBytes, type KeyPair, ZERO_HASH } from '../../protocol/index.ts';
import { InvalidDumpError } from '../../rpc/index.ts';
import type { Store } from '../../store/index.ts';
import { inSlices } from '../../time/job.ts';
import { NO_BLOCK_GAS_LIMIT } from '../configuration.ts';
import { isGasLimitOfGenesis } from './geth-genesis.ts';
import type { DumpedAccount, DumpedBlock, StateDump } from './state-dump.ts';

/** Accounts and slots of a state dump. */
export const DUMP_ENTRIES_MAX = 500_000;

/** Slots, or balances, that one patch sets: a slice of work. */
const PATCH_ENTRIES = 200;

/** The chain that a state dump continues. */
export interface DumpTarget {
  /** The genesis of a test chain with Ethereum, which is not a fork. */
  readonly genesis: Genesis;
  /** The key of its producer. */
  readonly producer: KeyPair;
  /** Called for each balance that an account cannot hold. Amounts are in wei. */
  onBalanceCut(address: Address, asked: bigint, most: bigint): void;
}

/**
 * Fills an empty store with a chain that has the state of a dump. Its newest block has the number, the time and the
 * prices of the dumped one; it has no blocks before, and the genesis of the target with its accounts. After an error
 * the store is unusable.
 *
 * @returns seconds by which the clock of the chain is ahead
 * @throws InvalidDumpError
 */
export async function fillStore(store: Store, dump: StateDump, target: DumpTarget): Promise<number> {
  if (dump.entries > DUMP_ENTRIES_MAX) {
    throw new InvalidDumpError(
      `the dump has ${dump.entries} accounts and slots, and a chain takes at most ${DUMP_ENTRIES_MAX} of one`,
    );
  }
  const isUnlimited = target.genesis.ethereum?.blockGasLimit === NO_BLOCK_GAS_LIMIT;
  const block = isUnlimited ? { ...dump.block, gasLimit: undefined } : dump.block;
  const time = block.timestamp ?? systemClock.now();
  const ledger = await Ledger.open({
    store,
    clock: systemClock,
    keys: [target.producer],
    mining: 'manual',
    genesis: genesisBefore(block, time, target.genesis),
  });
  await inSlices(setAccounts(ledger, dump, target));
  setSettings(ledger, block);
  const isDynamic = ledger.parameters.rules.fees.type === 'eip1559';
  const setBaseFee = (baseFee: bigint | undefined): void => {
    if (baseFee !== undefined && isDynamic) ledger.chain.patch(() => ({ type: 'baseFee', baseFee }));
  };
  // The state is that of a block, so that a revert to it does not lose the state. Block 0 has no block before it.
  if (block.number > 0) {
    const { rand } = block;
    if (rand !== undefined) ledger.chain.patch(() => ({ type: 'rand', rand }));
    setBaseFee(block.baseFee);
    ledger.miner.mine(time);
  }
  setBaseFee(nextBaseFee(ledger, block));
  if (dump.continuesTime === true && block.timestamp !== undefined) ledger.clock.setTime(block.timestamp);
  return ledger.clock.timing.ahead;
}

/** Returns the genesis of a chain whose first block is the dumped one. */
function genesisBefore(block: DumpedBlock, timestamp: number, genesis: Genesis): Genesis {
  const { ethereum } = genesis;
  if (ethereum === undefined) return genesis;
  const { gasLimit = ethereum.blockGasLimit, number, excessBlobGas } = block;
  const origin = { number: number - 1, hash: ZERO_HASH, stateRoot: ZERO_HASH, excessBlobGas, isWhole: true };
  return {
    ...genesis,
    timestamp,
    ethereum: {
      ...ethereum,
      blockGasLimit: isGasLimitOfGenesis(gasLimit) ? gasLimit : ethereum.blockGasLimit,
      fork: number > 0 && number <= BLOCK_NUMBER_MAX ? origin : undefined,
    },
  };
}

/** Sets the coinbase, and a gas limit that the genesis cannot have. */
function setSettings(ledger: Ledger, { gasLimit = 0n, coinbase }: DumpedBlock): void {
  if (coinbase !== undefined) ledger.chain.patch(() => ({ type: 'coinbase', coinbase }));
  if (gasLimit === 0n || isGasLimitOfGenesis(gasLimit)) return;
  const most = gasLimit < AMOUNT_MAX ? gasLimit : AMOUNT_MAX;
  ledger.chain.patch(() => ({ type: 'gasLimit', gasLimit: most }));
}

/** Returns the base fee of the block after the dumped one (EIP-1559); undefined if the dump does not say. */
function nextBaseFee(ledger: Ledger, { baseFee, gasUsed, excessBlobGas }: DumpedBlock): bigint | undefined {
  if (baseFee === undefined || gasUsed === undefined) return undefined;
  const fees = { baseFee, gasUsed, excessBlobGas, blobGasUsed: 0n };
  return pricesAfterFees(fees, ledger.parameters.rules).baseFee;
}

function* setAccounts(ledger: Ledger, dump: StateDump, target: DumpTarget): Generator<void, void> {
  const decreases: SetBalance[] = [];
  const increases: SetBalance[] = [];
  for (const account of dump.accounts()) {
    const balance = heldBalance(ledger, account, target);
    const before = ledger.accounts.weiBalanceOf(account.address);
    if (balance !== before) {
      (balance < before ? decreases : increases).push({ address: account.address, balance });
    }
    for (const patch of patchesOf(ledger, account)) {
      apply(ledger, account.path, patch);
      yield;
    }
    yield;
  }
  // Decreases first, so that no sum of all balances on the way exceeds both that before and that after all.
  const balances = [...decreases, ...increases];
  for (let from = 0; from < balances.length; from += PATCH_ENTRIES) {
    apply(ledger, 'accounts', { type: 'balances', balances: balances.slice(from, from + PATCH_ENTRIES) });
    yield;
  }
}

function heldBalance(
  ledger: Ledger,
  { address, balance }: DumpedAccount,
  { onBalanceCut }: DumpTarget,
): bigint {
  const most = ledger.parameters.inWei(AMOUNT_MAX);
  if (balance <= most) return balance;
  onBalanceCut(address, balance, most);
  return most;
}

/** Returns the changes of an account, except that of its balance, one after the other. */
function* patchesOf(ledger: Ledger, account: DumpedAccount): Generator<Patch> {
  const { address, code, nonce } = account;
  if (!equalBytes(code, ledger.accounts.codeAt(address))) yield { type: 'code', address, code };
  // Native accounts count operations.
  const isCounted = ledger.accounts.accountByAddress(address) !== undefined;
  const count = isCounted
    ? BigInt(ledger.accounts.operationCount(address))
    : ledger.accounts.nonceOf(address);
  if (nonce !== count) yield { type: isCounted ? 'operationCount' : 'nonce', address, count: nonce };
  let slots: SetSlot[] = [];
  for (const slot of account.storage) {
    slots.push(slot);
    if (slots.length < PATCH_ENTRIES) continue;
    yield { type: 'slots', address, slots };
    slots = [];
  }
  if (slots.length > 0) yield { type: 'slots', address, slots };
}

/** @throws InvalidDumpError for a change that the chain refuses */
function apply(ledger: Ledger, path: string, patch: Patch): void {
  try {
    ledger.chain.patch(() => patch);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new InvalidDumpError(`${path} cannot be set: ${error.message}`, { cause: error });
  }
}
