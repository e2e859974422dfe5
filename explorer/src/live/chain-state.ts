import { computed, signal } from '@preact/signals';
import { type ChainFacts, chainFacts, type NodeState } from '../client/chain.ts';
import { messageOf } from '../client/errors.ts';
import type { Profile } from '../client/rpc.ts';
import { vocabularyOf } from '../text/vocabulary.ts';

/** Properties of the node; undefined until it has responded. */
export const facts = signal<ChainFacts | undefined>(undefined);

/** The error of the last attempt to read them. */
export const factsFailure = signal<string | undefined>(undefined);

/** The recent status of the node. */
export const nodeStatus = signal<NodeState | undefined>(undefined);

/** The profile whose forms and amounts the page shows. */
export const shownProfile = computed<Profile>(() => facts.value?.profile ?? 'ledger');

/** The words of the chain. */
export const words = computed(() => vocabularyOf(shownProfile.value));

/** True if the known data may be of another chain. */
let isStale = false;

/** Reads the constant properties; callers repeat it after a failure. */
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

/** Marks the properties as stale: the node was restarted, perhaps with another chain. */
export function forgetFacts(): void {
  isStale = true;
}
