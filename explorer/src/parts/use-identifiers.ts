import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { accountOf } from '../client/accounts.ts';
import type { Hex } from '../client/reading.ts';
import { IDENTIFIERS_MAX } from '../limits.ts';
import { facts } from '../live/chain-state.ts';
import { chainReorgCount } from '../live/feed.ts';
import { identifierOf } from '../text/identifiers.ts';

/** Addresses of the ledger's form that are known to be of an account or a contract. */
const existing = signal<ReadonlySet<Hex>>(new Set());

const asked = new Set<Hex>();

/** The reorganisation count of the chain that this was learned in. */
let learnedIn = 0;

/**
 * Finds the identifiers of addresses. On a chain with Ethereum anybody can use an address of the ledger's form, so
 * that it has an identifier only once the node has named it.
 */
export function useIdentifiers(addresses: readonly Hex[]): (address: Hex) => string | undefined {
  const profile = facts.value?.profile;
  const reorgCount = chainReorgCount.value;
  const key =
    profile === 'ethereum' ? addresses.filter((one) => identifierOf(one) !== undefined).join(' ') : '';
  useEffect(() => {
    if (learnedIn !== reorgCount) {
      learnedIn = reorgCount;
      existing.value = new Set();
    }
    // The key is made of addresses.
    for (const address of key.split(' ').filter((part) => part !== '')) void learn(address as Hex);
  }, [key, reorgCount]);
  return (address) =>
    profile === 'ledger' || existing.value.has(address) ? identifierOf(address) : undefined;
}

/** Looks up the identifier of an address. One without an identifier is looked up again when it is shown again. */
async function learn(address: Hex): Promise<void> {
  if (asked.has(address) || existing.peek().has(address)) return;
  asked.add(address);
  try {
    const account = await accountOf(address);
    if (account?.id === undefined) return;
    const known = existing.peek();
    existing.value = new Set(known.size < IDENTIFIERS_MAX ? known : []).add(address);
  } catch {
    // The address stays as it is; the page reports problems of the node elsewhere.
  } finally {
    asked.delete(address);
  }
}
