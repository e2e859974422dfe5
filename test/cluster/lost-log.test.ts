import { expect, test } from 'vitest';
import { NATS_SERVER, WITHOUT_SERVER } from '../../src/node/block-log/jetstream/nats-servers.testing.ts';
import { runLostLog, seconds } from './lost-log.ts';

/** Set by `scripts/lost-log.js`; without them the chain is short. */
const BLOCKS = Number(process.env.LOST_BLOCKS ?? 0);
const SEED = Number(process.env.LOST_SEED ?? 1);

/** Milliseconds of all of it, and more of them for each block. */
const WAIT_MS = 300_000;
const BLOCK_MS = 5;

test.skipIf(NATS_SERVER === undefined)(
  `behavior: a lost block log is rebuilt with all acknowledged operations${WITHOUT_SERVER}`,
  { timeout: WAIT_MS + BLOCKS * BLOCK_MS },
  async () => {
    const lines: string[] = [];
    const report = (line: string): void =>
      void (BLOCKS > 0 ? process.stdout.write(`${line}\n`) : lines.push(line));
    const summary = await runLostLog({ blocks: BLOCKS, seed: SEED, report });
    const { height, answered, recoveryMs, seedMs, refusal, findings } = summary;
    report(
      `lost at block ${height}, with ${answered} transactions answered; seeded in ${seconds(seedMs)}, the next block ` +
        `after ${seconds(recoveryMs)}, ${findings.length} findings`,
    );
    expect(refusal).toMatch(/has no stream ledgerd-[0-9a-f]{16}: .*ledgerd block-log seed/);
    expect(findings).toEqual([]);
    expect(answered).toBeGreaterThan(0);
  },
);
