import { type AccessList, type Hardfork, isSince, precompilesOf } from '../../evm/index.ts';
import { type Address, bytesToHex, type Hash, ZERO_ADDRESS } from '../../protocol/index.ts';
import type { CallMessage, CallOutcome } from './execution.ts';
import type { Touched } from './overrides.ts';

/** What a call came to, and what it touched. */
export interface AccessOutcome {
  readonly outcome: CallOutcome;
  readonly accessList: AccessList;
}

/** Begins to take notes. */
export function nothingTouched(): Touched {
  return { accounts: [], slots: [], created: [] };
}

/**
 * What would be worth to be warm from the beginning (EIP-2930): accounts that the call touched, and slots. Accounts
 * that are warm anyway are left out unless they have slots: sender, receiver, coinbase (EIP-3651), precompiled
 * contracts, and contracts that the call created.
 */
export function accessListOf(
  touched: Touched,
  { from = ZERO_ADDRESS, to }: CallMessage,
  { coinbase, hardfork }: { readonly coinbase: Address; readonly hardfork: Hardfork },
): AccessList {
  const warm = [from, to, ...touched.created, ...precompilesOf(hardfork).map(({ address }) => address)];
  if (isSince(hardfork, 'shanghai')) warm.push(coinbase);
  const left = new Set(warm.flatMap((address) => (address === undefined ? [] : [bytesToHex(address)])));
  const entries = new Map<string, { readonly address: Address; readonly storageKeys: Hash[] }>();
  const entryOf = (address: Address): Hash[] => {
    const name = bytesToHex(address);
    const entry = entries.get(name) ?? { address, storageKeys: [] };
    entries.set(name, entry);
    return entry.storageKeys;
  };
  for (const address of touched.accounts) if (!left.has(bytesToHex(address))) entryOf(address);
  for (const { address, slot } of touched.slots) entryOf(address).push(slot);
  return [...entries.values()];
}
