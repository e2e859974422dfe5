import { type Ledger, producerOf } from '../ledger/index.ts';
import { formatAccountId } from '../protocol/index.ts';
import type { ClusterMember } from './block-log/cluster-member.ts';
import type { ClockWatch } from './clock-watch.ts';
import type { Follower } from './following/follower.ts';
import type { HealthCheck } from './health.ts';

/** A reason for which a node makes no blocks, with a sentence for its operator. */
export interface ProductionBlocker {
  readonly kind: 'clock' | 'signedBefore' | 'log' | 'unheard';
  readonly reason: string;
}

/** Finds the first reason for which a node makes no blocks, except for low disk space and catching up. */
export function productionBlockers(
  ledger: Ledger,
  clock: ClockWatch,
  follower: Follower,
  log: ClusterMember | undefined,
  produceWithoutHearing: boolean,
): HealthCheck & { find(): ProductionBlocker | undefined } {
  const find = (): ProductionBlocker | undefined => {
    const productionBlocker = clock.productionBlocker();
    if (productionBlocker !== undefined) return { kind: 'clock', reason: productionBlocker };
    if (log !== undefined) return findInCluster(ledger, log);
    const before = ledger.miner.keys.signedBefore();
    if (before.kind === 'missing')
      return { kind: 'signedBefore', reason: describeMissing(ledger, before.last) };
    const [unheard] = produceWithoutHearing ? [] : follower.unheard();
    if (unheard === undefined) return undefined;
    return {
      kind: 'unheard',
      reason:
        `no block is made before each followed node has been heard once: cannot fetch blocks from ${unheard.url} ` +
        `(${unheard.reason}); --produce-without-hearing makes blocks without it`,
    };
  };
  return {
    find,
    // Other checks report the clock and the log.
    problems: () => {
      const blocker = ledger.miner.keys.holdsAny() ? find() : undefined;
      if (blocker === undefined || blocker.kind === 'clock' || blocker.kind === 'log') return [];
      return [blocker.reason];
    },
  };
}

function findInCluster(ledger: Ledger, log: ClusterMember): ProductionBlocker | undefined {
  if (!log.isCurrent) {
    return {
      kind: 'log',
      reason: `no block is made before this node has all blocks of the block log ${log.url}`,
    };
  }
  const clock = log.clockBlocker();
  if (clock !== undefined) return { kind: 'clock', reason: clock };
  const missing: number[] = [];
  for (const attempt of ledger.miner.keys.nextAttempts()) {
    const before = ledger.miner.keys.signedBefore(attempt);
    if (before.kind !== 'missing') return undefined;
    missing.push(before.last);
  }
  if (missing.length === 0) return undefined;
  return { kind: 'signedBefore', reason: describeMissingInLog(ledger, Math.max(...missing)) };
}

function describeMissing(ledger: Ledger, last: number): string {
  const { number } = ledger.blocks.head();
  const producer = formatAccountId(producerOf(ledger.parameters.genesis, number + 1));
  return (
    `the key of ${producer} has signed blocks up to ${last}, and the chain here ends at block ${number}: no other ` +
    'block is made up to there. Follow a node that has these blocks; only if they are lost for good, give ' +
    `--sign-again-after ${number}`
  );
}

function describeMissingInLog(ledger: Ledger, last: number): string {
  const { number } = ledger.blocks.head();
  return (
    `keys of this node have signed blocks up to ${last}, and the block log ends at block ${number}: no other block ` +
    'is made with them up to there. If another node has these blocks, recreate the log from its store by "ledgerd ' +
    `log seed"; only if they are lost for good, give --sign-again-after ${number}`
  );
}
