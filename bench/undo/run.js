/** Measures the cost and the use of undo records. See ../README.md for the flags. */

import { parseArgs } from 'node:util';
import { print, quantile, showCount, showMs, table } from '../harness/report.js';
import { makeBlock, openLedger, receiverOf } from './chain.js';

const { values: flags } = parseArgs({
  options: {
    blocks: { type: 'string', default: '300' },
    depth: { type: 'string', default: '10000' },
  },
});

/** Transfers of a block. */
const SIZES = [0, 1, 10, 100];

const ms = (action) => {
  const started = performance.now();
  action();
  return performance.now() - started;
};

/** Applies the same blocks to two ledgers, alternating: one with undo records. */
async function commitCost(transfers, blocks) {
  const source = await openLedger({ durable: false });
  const kept = await openLedger({ durable: true });
  const bare = await openLedger({ durable: true, undoBlocks: 0 });
  const times = { kept: [], bare: [] };
  for (let number = 1; number <= blocks; number += 1) {
    makeBlock(source.ledger, transfers);
    const block = source.ledger.blocks.nativeBlock(number);
    if (block === undefined) throw new Error(`block ${number} is not there`);
    const sides = {
      kept: () => kept.ledger.chain.importBlock(block),
      bare: () => bare.ledger.chain.importBlock(block),
    };
    for (const side of number % 2 === 0 ? ['kept', 'bare'] : ['bare', 'kept'])
      times[side].push(ms(sides[side]));
  }
  const bytes = [kept, bare].map(({ store }) => store.statistics().usedBytes);
  for (const { close } of [source, kept, bare]) await close();
  const ratio = quantile(
    times.kept.map((time, index) => time / times.bare[index]),
    0.5,
  );
  const medians = [times.bare, times.kept].map((side) => quantile(side, 0.5));
  return { medians, ratio, bytes: (bytes[0] - bytes[1]) / blocks };
}

async function showCommits() {
  const rows = [['transfers of a block', 'without', 'with records', 'median of the ratios', 'bytes a block']];
  for (const transfers of SIZES) {
    const { medians, ratio, bytes } = await commitCost(transfers, Number(flags.blocks));
    rows.push([
      String(transfers),
      ...medians.map(showMs),
      `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`,
      showCount(bytes),
    ]);
  }
  print(table(rows));
}

/** Number of reverts of each depth, and the greatest sum of their times. */
const [REVERTS, REVERTED] = [15, 5_000];

/** States that are opened one after the other. */
const STATES = 15;

/** Times the first balance that is read of a state so many blocks back, and those of further accounts. */
function readTimes(ledger, depth) {
  /** @type {number[][]} */
  const [first = [], next = []] = [[], []];
  for (let count = 0; count < STATES; count += 1) {
    const block = ledger.blocks.head().number + 1 - depth - count;
    first.push(ms(() => ledger.history.stateBefore(block).accounts.balanceOf(receiverOf(0))));
    for (let account = 1; account <= 10; account += 1) {
      next.push(ms(() => ledger.history.stateBefore(block).accounts.balanceOf(receiverOf(7 * account))));
    }
  }
  return [quantile(first, 0.5), quantile(next, 0.5), quantile(next, 0.99)];
}

async function showDepths(transfers, depths) {
  const { ledger, close } = await openLedger({ durable: false });
  const deepest = depths.at(-1);
  while (ledger.blocks.head().number < deepest + STATES) makeBlock(ledger, transfers);
  const rows = [['blocks', 'first balance of a state', 'further ones', '99 % of them', 'taken back in']];
  for (const depth of depths) {
    const reads = readTimes(ledger, depth).map(showMs);
    const before = ledger.blocks.head().number;
    const reverting = [];
    for (let time = 0; time < Math.min(REVERTS, Math.ceil(REVERTED / depth)); time += 1) {
      reverting.push(ms(() => ledger.chain.revertTo(before - depth)));
      while (ledger.blocks.head().number < before) makeBlock(ledger, transfers);
    }
    rows.push([showCount(depth), ...reads, showMs(quantile(reverting, 0.5))]);
  }
  print(table(rows));
  await close();
}

print('What a block costs, applied and stored durably:\n');
await showCommits();
const deepest = Number(flags.depth);
print('\nBlocks of one transfer each:\n');
await showDepths(
  1,
  [1, 16, 128, 1_000, 10_000].filter((depth) => depth <= deepest),
);
print('\nBlocks of 100 transfers each:\n');
await showDepths(100, [1, 16, 128]);
