import { type Hardfork, isSince, precompilesOf } from '../../evm/index.ts';
import {
  type AccessList,
  type Address,
  bytesToHex,
  delegationOf,
  equalBytes,
  type Hash,
  recoverAuthority,
  ZERO_ADDRESS,
} from '../../protocol/index.ts';
import type { WorkingState } from '../state/working-state.ts';
import type { CallMessage, CallOutcome } from './execution.ts';
import type { Accessed } from './overrides.ts';

/** The outcome of a call, and the access list that saves it gas. */
export interface AccessOutcome {
  readonly outcome: CallOutcome;
  readonly accessList: AccessList;
}

/** Returns an empty record of accesses. */
export function emptyAccesses(): Accessed {
  return { accounts: [], created: [] };
}

/** Parts of the chain that are warm from the beginning of a call, or say what is. */
interface WarmFromBeginning {
  readonly coinbase: Address;
  readonly hardfork: Hardfork;
  readonly delegates: readonly Address[];
}

/** Returns the slots of an account that a call accessed, in the order of their first access. */
export type AccessedSlots = (address: Address) => readonly Hash[];

/** Lists the accounts that are warm by delegations (EIP-7702): authorities, and the code of the receiver. */
export function warmDelegates(
  state: WorkingState,
  { to, authorizationList = [] }: CallMessage,
): readonly Address[] {
  const warm: Address[] = [];
  let delegate = to && delegationOf(state.codeAt(to));
  for (const authorization of authorizationList) {
    const authority = recoverAuthority(authorization);
    if (authority === undefined) continue;
    warm.push(authority);
    if (to !== undefined && equalBytes(authority, to)) delegate = authorization.address;
  }
  return delegate === undefined ? warm : [...warm, delegate];
}

/**
 * Lists the accounts and slots that the call accessed and that should be warm from the beginning (EIP-2930). Accounts
 * that are warm anyway are omitted unless they have slots: sender, receiver, coinbase (EIP-3651), precompiled
 * contracts, contracts that the call created, signers of authorizations, and the code that the receiver delegates to.
 * @param delegates from `warmDelegates`, before the call
 */
export function accessListOf(
  accessed: Accessed,
  slotsOf: AccessedSlots,
  { from = ZERO_ADDRESS, to }: CallMessage,
  { coinbase, hardfork, delegates }: WarmFromBeginning,
): AccessList {
  const warm = [
    from,
    to,
    ...delegates,
    ...accessed.created,
    ...precompilesOf(hardfork).map(({ address }) => address),
  ];
  if (isSince(hardfork, 'shanghai')) warm.push(coinbase);
  const omitted = new Set(warm.flatMap((address) => (address === undefined ? [] : [bytesToHex(address)])));
  const entries = new Map<string, AccessList[number]>();
  const later: AccessList[number][] = [];
  for (const address of accessed.accounts) {
    const key = bytesToHex(address);
    if (entries.has(key)) continue;
    const entry = { address, storageKeys: slotsOf(address) };
    if (!omitted.has(key)) entries.set(key, entry);
    else if (entry.storageKeys.length > 0) later.push(entry);
  }
  for (const entry of later) entries.set(bytesToHex(entry.address), entry);
  return [...entries.values()];
}
