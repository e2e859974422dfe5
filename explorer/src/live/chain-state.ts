import { computed, signal } from '@preact/signals';
import { type ChainFacts, chainFacts, type NodeState } from '../client/chain.ts';
import { messageOf } from '../client/errors.ts';
import type { Profile } from '../client/rpc.ts';

/** Properties of the node; undefined until it has responded. */
export const facts = signal<ChainFacts | undefined>(undefined);

/** Why the node has not said it yet. */
export const factsFailure = signal<string | undefined>(undefined);

/** The recent status of the node. */
export const nodeStatus = signal<NodeState | undefined>(undefined);

/** In whose shapes and amounts the page speaks. */
export const shownProfile = computed<Profile>(() => facts.value?.profile ?? 'ledger');

/** True if the known data may be of another chain. */
let isStale = false;

/** Asks what never changes; what calls it later asks again where that failed. */
export async function learnFacts(): Promise<void> {
  if (facts.value !== undefined && !isStale) return;
  try {
    facts.value = await chainFacts();
    isStale = false;
    factsFailure.value = undefined;
  } catch (error) {
    factsFailure.value = messageOf(error);
  }
}

/** Has it asked anew: the node was started again, perhaps with another chain. */
export function forgetFacts(): void {
  isStale = true;
}
