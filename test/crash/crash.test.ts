import { expect, test } from 'vitest';
import { runCrashCampaign } from './campaign.ts';
import { runEthereumKills } from './ethereum.ts';
import { runPatchKills } from './patches.ts';
import { runRevertKills } from './reverts.ts';

/** Set by `scripts/crash.js`; without them there is nothing to do here. */
const KILLS = Number(process.env.CRASH_KILLS ?? 0);
const SEED = Number(process.env.CRASH_SEED ?? 0);

/** Milliseconds that a campaign may take, and each kill of it. */
const CAMPAIGN_MS = 120_000;
const KILL_MS = 15_000;
/** One kill in so many happens within a revert, and as many within changes without a block. */
const REVERT_SHARE = 4;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

test.runIf(KILLS > 0)(
  'behavior: no acknowledged operation is lost, however often the node is killed',
  { timeout: CAMPAIGN_MS + KILLS * KILL_MS },
  async () => {
    print(`killing a node ${KILLS} times with seed ${SEED}`);
    const summary = await runCrashCampaign({ kills: KILLS, seed: SEED, report: print });
    const { kills, killsByKind, blocks, shown, given, expired, unanswered, carried } = summary;
    const kinds = Array.from(killsByKind, ([kind, count]) => `${kind} ${count}`);
    print(
      `${kills} kills (${kinds.join(', ')}), ${blocks} blocks, ${shown} of them shown to clients; ` +
        `${given} hashes given out, ${expired} of them expired, all others in a block; ` +
        `${carried} of them waited for one when the node was killed; ${unanswered} requests were never answered`,
    );
    expect(kills).toBe(KILLS);
  },
);

/** And one in so many under raw transactions of Ethereum's. */
const ETHEREUM_SHARE = 3;
const ETHEREUM_KILLS = Math.ceil(KILLS / ETHEREUM_SHARE);

test.runIf(KILLS > 0)(
  'behavior: no raw transaction that was answered is lost, and none happens twice',
  { timeout: CAMPAIGN_MS + ETHEREUM_KILLS * KILL_MS },
  async () => {
    const { blocks, included, replaced, carried } = await runEthereumKills({
      kills: ETHEREUM_KILLS,
      seed: SEED,
      report: print,
    });
    print(
      `${ETHEREUM_KILLS} kills under raw transactions: ${included} in ${blocks} blocks, ${replaced} of them in the ` +
        `place of another one; ${carried} waited after a kill`,
    );
  },
);

const REVERT_KILLS = Math.ceil(KILLS / REVERT_SHARE);

test.runIf(KILLS > 0)(
  'behavior: a revert is done or not, however often the node is killed within one',
  { timeout: CAMPAIGN_MS + REVERT_KILLS * KILL_MS },
  async () => {
    const { reverted, notReverted } = await runRevertKills({
      kills: REVERT_KILLS,
      seed: SEED,
      report: print,
    });
    print(`${REVERT_KILLS} kills within reverts: ${reverted} were done, ${notReverted} were not`);
  },
);

test.runIf(KILLS > 0)(
  'behavior: changes without a block are done or not, however often the node is killed within them',
  { timeout: CAMPAIGN_MS + REVERT_KILLS * KILL_MS },
  async () => {
    const { answered, unanswered } = await runPatchKills({ kills: REVERT_KILLS, seed: SEED, report: print });
    print(
      `${REVERT_KILLS} kills within ${answered} changes without a block that were answered; ` +
        `${unanswered} more were done and not answered`,
    );
  },
);
