import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { NodeProcess } from '../node-process.ts';
import { BLOCK_INTERVAL } from './commands.ts';
import type { LateKillPlan } from './kill-plan.ts';

/** Milliseconds before a block is due at which it is looked out for. */
const BLOCK_LEAD_MS = 3;

/** A node that is to be killed, with the clients at work. */
export interface Victim {
  readonly node: NodeProcess;
  readonly folder: string;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Waits until the next request with transactions is in flight. */
  sending(): Promise<void>;
}

/** Waits for the moment of a kill, or in vain when the signal comes first. */
export async function killMoment(plan: LateKillPlan, victim: Victim): Promise<void> {
  if (plan.kind === 'block') {
    await victim.node.madeBlocks(plan.blocks);
    await delay(BLOCK_INTERVAL * 1_000 - BLOCK_LEAD_MS);
    await awaitWrites(join(victim.folder, 'ledger', 'ledger.mdb'), plan.writes, victim.signal);
    return;
  }
  if (plan.kind === 'submission') {
    for (let request = 0; request < plan.requests; request += 1) await victim.sending();
  }
  if (plan.milliseconds > 0) await delay(plan.milliseconds);
}

/** Waits until the system has reported a number of writes to a file, some of which it may merge. */
function awaitWrites(path: string, count: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let writes = 0;
    const watcher = watch(path, { signal }, () => {
      writes += 1;
      if (writes < count) return;
      watcher.close();
      resolve();
    }).on('error', reject);
  });
}
