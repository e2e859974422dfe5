import type { Random } from '../fuzz/random.ts';

/**
 * The time at which a run of the node is killed.
 * - founding: while a new node creates its chain;
 * - start: before it reports that it is ready;
 * - early: immediately after that, with clients waiting;
 * - block: while it writes to its store at the time of a block;
 * - submission: while transactions are in flight;
 * - any: at any time.
 */
export type KillPlan =
  | { readonly kind: 'founding'; readonly share: number }
  | { readonly kind: 'start'; readonly share: number }
  | { readonly kind: 'early'; readonly milliseconds: number }
  | { readonly kind: 'block'; readonly blocks: number; readonly writes: number }
  | { readonly kind: 'submission'; readonly requests: number; readonly milliseconds: number }
  | { readonly kind: 'any'; readonly milliseconds: number };

/** A plan that strikes a node which serves requests. */
export type LateKillPlan = Exclude<KillPlan, { readonly kind: 'founding' | 'start' }>;

/** Chooses how a life ends. */
export function nextKill(random: Random): KillPlan {
  return random.pickWeighted<() => KillPlan>([
    [1, () => ({ kind: 'founding', share: (40 + random.below(60)) / 100 })],
    [2, () => ({ kind: 'start', share: random.below(100) / 100 })],
    [1, () => ({ kind: 'early', milliseconds: random.below(60) })],
    [5, () => ({ kind: 'block', blocks: 1 + random.below(4), writes: 1 + random.below(12) })],
    [2, () => ({ kind: 'submission', requests: 1 + random.below(40), milliseconds: random.below(8) })],
    [1, () => ({ kind: 'any', milliseconds: random.below(1_500) })],
  ])();
}

/** Describes a plan in a few words. */
export function describeKill(plan: KillPlan): string {
  switch (plan.kind) {
    case 'founding':
      return `during the first start of a new node, after ${Math.round(plan.share * 100)} % of its time`;
    case 'start':
      return `during the start, after ${Math.round(plan.share * 100)} % of its time`;
    case 'early':
      return `${plan.milliseconds} ms after the start`;
    case 'block':
      return `at write ${plan.writes} when the block after ${plan.blocks} more is due`;
    case 'submission':
      return `${plan.milliseconds} ms after request ${plan.requests} with transactions`;
    case 'any':
      return `after ${plan.milliseconds} ms`;
  }
}
