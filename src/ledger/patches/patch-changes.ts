import { AMOUNT_MAX, BASE_FEE_MAX } from '../../consensus.ts';
import type { AccountState } from '../../evm/index.ts';
import {
  type Address,
  addressOwner,
  bytesToHex,
  type ContractId,
  contractId,
  delegationOf,
  equalBytes,
  type Hash,
  keccak256,
} from '../../protocol/index.ts';
import { type StateChange, type StoreReader, stateKey } from '../../store/index.ts';
import type { Patch, SetBalance } from '../chain/patch-record.ts';
import { accountRecordOf, accountStateOf } from '../chain/records.ts';
import { refuse } from '../errors/refusal.ts';
import { requireNotEvmAddress } from '../operations/receiver.ts';
import { trimmedWord } from '../state/engine-host.ts';
import { overBase, removedEntry } from '../state/fork-base.ts';
import { NativeState } from '../state/native-state.ts';
import type { StateRules } from '../state/state-rules.ts';

export interface PatchChanges {
  readonly state: readonly StateChange[];
  readonly counts: readonly { readonly payer: Address; readonly count: number }[];
  /** Increase of the sum of all balances, in wei. */
  readonly supplyChange: bigint;
}

/** The nonce of a new contract (EIP-161). */
const FIRST_NONCE = 1n;

const NOTHING: PatchChanges = { state: [], counts: [], supplyChange: 0n };

/**
 * Computes the changes of a patch to the state after the head.
 * @throws RefusedError for a forbidden change
 */
export function changesOf(store: StoreReader, patch: Patch, rules: StateRules): PatchChanges {
  const native = new NativeState(store);
  const changes = changesIn({ store, native, rules }, patch);
  const state = changes.state.filter(({ before, after }) => !isSame(before, after));
  return { ...changes, state };
}

/** The state that a patch changes. */
interface Patched {
  readonly store: StoreReader;
  readonly native: NativeState;
  readonly rules: StateRules;
}

function changesIn(patched: Patched, patch: Patch): PatchChanges {
  const { store, native, rules } = patched;
  if ('address' in patch) requireNotEvmAddress(native, patch.address);
  switch (patch.type) {
    case 'balances':
      return balanceChanges(patched, patch.balances);
    case 'code':
    case 'contractCode':
      return { ...NOTHING, state: codeChanges(patched, patch) };
    case 'storage':
      return { ...NOTHING, state: [storageChange(patched, patch.address, patch.slot, patch.value)] };
    case 'slots': {
      const { address, slots } = patch;
      if (new Set(slots.map(({ slot }) => bytesToHex(slot))).size < slots.length) {
        refuse({ code: 'malformedPatch', reason: 'it sets a slot twice' });
      }
      const state = slots.map(({ slot, value }) => storageChange(patched, address, slot, value));
      return { ...NOTHING, state };
    }
    case 'nonce': {
      const { address, count } = patch;
      const hasNonce = rules.hasStandardAddresses && !isOfAccount(patched, address);
      if (!hasNonce && native.contractId(address) === undefined) refuse({ code: 'noContract', address });
      return { ...NOTHING, state: [accountChange(patched, address, { nonce: count })] };
    }
    case 'operationCount': {
      const { address, count } = patch;
      if (count > BigInt(Number.MAX_SAFE_INTEGER))
        refuse({ code: 'malformedPatch', reason: 'a count is too large' });
      return { ...NOTHING, counts: store.history ? [{ payer: address, count: Number(count) }] : [] };
    }
    case 'baseFee':
      if (rules.fees.type !== 'eip1559') refuse({ code: 'constantBaseFee' });
      if (patch.baseFee > BASE_FEE_MAX) refuse({ code: 'baseFeeTooHigh', most: BASE_FEE_MAX });
      return NOTHING;
    case 'coinbase':
    case 'gasLimit':
      if (!rules.headersStateSettings) refuse({ code: 'fixedSettings' });
      if (patch.type === 'gasLimit' && (patch.gasLimit < 1n || patch.gasLimit > AMOUNT_MAX)) {
        refuse({ code: 'malformedPatch', reason: `a block can have a gas limit from 1 to ${AMOUNT_MAX}` });
      }
      return NOTHING;
    case 'rand':
      return NOTHING;
  }
}

function balanceChanges(patched: Patched, balances: readonly SetBalance[]): PatchChanges {
  let supplyChange = 0n;
  if (new Set(balances.map(({ address }) => bytesToHex(address))).size < balances.length) {
    refuse({ code: 'malformedPatch', reason: 'it sets a balance twice' });
  }
  const state = balances.map(({ address, balance }) => {
    requireNotEvmAddress(patched.native, address);
    supplyChange += balance - accountAt(patched, address).balance;
    return accountChange(patched, address, { balance });
  });
  return { ...NOTHING, state, supplyChange };
}

/** Returns true for the address of an account; on chains without Ethereum also of one that does not exist yet. */
function isOfAccount({ native, rules }: Patched, address: Address): boolean {
  const owner = addressOwner(address);
  if (owner.kind !== 'account') return false;
  return !rules.hasStandardAddresses || native.account(owner.id) !== undefined;
}

function codeChanges(
  patched: Patched,
  { type, address, code }: Extract<Patch, { readonly type: 'code' | 'contractCode' }>,
): StateChange[] {
  const { store, native, rules } = patched;
  if (isOfAccount(patched, address)) refuse({ code: 'accountHasNoCode', address });
  const isContract = native.contractId(address) !== undefined;
  if (code.length === 0) {
    const hasCode = isContract || accountAt(patched, address).codeHash !== undefined;
    return hasCode ? [accountChange(patched, address, { codeHash: undefined })] : [];
  }
  const codeHash = keccak256(code);
  const key = stateKey.code(codeHash);
  const codeChange: StateChange = { key, before: store.state(key), after: code };
  // The account of a key stays one if it delegates to code (EIP-7702).
  const isDelegation = rules.hasStandardAddresses && delegationOf(code) !== undefined;
  if (isContract || isDelegation) return [codeChange, accountChange(patched, address, { codeHash })];
  const { nonce } = accountAt(patched, address);
  const least = type === 'contractCode' ? FIRST_NONCE : 0n;
  enterContract(patched, address);
  const changes = [
    codeChange,
    accountChange(patched, address, { codeHash, nonce: nonce > least ? nonce : least }),
  ];
  native.addChanges(changes);
  return changes;
}

/** Gives an address the next identifier of a contract, as CREATE2 does. */
function enterContract({ native, rules }: Patched, address: Address): void {
  const { properties } = native;
  const id = contractId(properties.nextContract);
  // With Ethereum, native creations pass over the addresses that are taken.
  if (!rules.hasStandardAddresses) requireNotLater(address, id);
  native.setContract(id, address);
  native.setProperties({ ...properties, nextContract: properties.nextContract + 1 });
}

/** Rejects the address of a later contract, which must be free when that is created. */
function requireNotLater(address: Address, next: ContractId): void {
  const owner = addressOwner(address);
  if (owner.kind === 'contract' && owner.id > next) {
    refuse({ code: 'contractNotYet', address, contract: owner.id, next });
  }
}

function storageChange({ store, rules }: Patched, address: Address, slot: Hash, value: Hash): StateChange {
  const key = stateKey.storage(address, slot);
  return { key, before: store.state(key), after: trimmedWord(value) ?? removedEntry(rules.base) };
}

function accountAt({ store, rules }: Patched, address: Address): AccountState {
  const stored = overBase(store, rules.base).state(stateKey.account(address));
  rules.base?.requireComplete();
  return stored === undefined
    ? { balance: 0n, nonce: 0n, codeHash: undefined }
    : accountStateOf(stored, rules.weiPerUnit);
}

/** Returns the change of an account, which is removed without balance, nonce and code (EIP-161). */
function accountChange(patched: Patched, address: Address, update: Partial<AccountState>): StateChange {
  const { store, rules } = patched;
  const key = stateKey.account(address);
  const account: AccountState = { ...accountAt(patched, address), ...update };
  const { balance, nonce, codeHash } = account;
  const isEmpty = balance === 0n && nonce === 0n && codeHash === undefined;
  return {
    key,
    before: store.state(key),
    after: isEmpty ? removedEntry(rules.base) : accountRecordOf(account, rules.weiPerUnit),
  };
}

function isSame(before: Uint8Array | undefined, after: Uint8Array | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return equalBytes(before, after);
}
