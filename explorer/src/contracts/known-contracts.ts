import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { AbiError, type ContractInterface, readInterface } from '../abi/index.ts';
import { artifactAt } from '../client/artifacts.ts';
import type { Hex } from '../client/reading.ts';
import { IDENTIFIERS_MAX, INTERFACES_MAX } from '../limits.ts';
import { chainReorgCount } from '../live/feed.ts';

/** The known interface of the contract at an address. */
export interface KnownContract {
  readonly name: string | undefined;
  readonly abi: ContractInterface;
}

/** Interfaces by address; undefined for an address that is known to have none. */
const contracts = signal<ReadonlyMap<Hex, KnownContract | undefined>>(new Map());

const asked = new Set<Hex>();

/** The reorganisation count of the chain that this was learned in. */
let learnedIn = 0;

/**
 * Returns the known contracts of some addresses, and renders again as the node responds. Requests each
 * address once while the page is open.
 */
export function useContracts(addresses: readonly Hex[]): ReadonlyMap<Hex, KnownContract | undefined> {
  const key = [...new Set(addresses)].slice(0, INTERFACES_MAX).join(' ');
  const reorgCount = chainReorgCount.value;
  useEffect(() => {
    if (learnedIn !== reorgCount) {
      learnedIn = reorgCount;
      asked.clear();
    }
    // The key is made of addresses.
    for (const address of key.split(' ').filter((part) => part !== '')) void learn(address as Hex);
  }, [key, reorgCount]);
  return contracts.value;
}

/** Returns the contracts that the page has learned of. */
export function knownContracts(): ReadonlyMap<Hex, KnownContract | undefined> {
  return contracts.peek();
}

/** Requests the interface of an address again, after it was submitted to the node. */
export function learnAgain(address: Hex): Promise<void> {
  asked.delete(address);
  return learn(address);
}

/** Interfaces of the responses of one request, which are shown together. */
const learned = new Map<Hex, KnownContract | undefined>();

function showLearned(): void {
  contracts.value = new Map([...contracts.peek(), ...learned]);
  learned.clear();
}

async function learn(address: Hex): Promise<void> {
  if (asked.has(address)) return;
  if (asked.size >= IDENTIFIERS_MAX) asked.clear();
  asked.add(address);
  try {
    const artifact = await artifactAt(address);
    const known = artifact && { name: artifact.name, abi: readInterface(artifact.abi) };
    // Most addresses have no contract: they change nothing that is shown.
    if (known === undefined && contracts.peek().get(address) === undefined) return;
    learned.set(address, known);
    if (learned.size === 1) queueMicrotask(showLearned);
  } catch (error) {
    // An unreadable interface counts as none; after a failed request the address is requested again.
    if (!(error instanceof AbiError)) asked.delete(address);
  }
}
