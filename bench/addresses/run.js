/** Measures the cost of the index of operations by address. See ../README.md. */

import { parseArgs } from 'node:util';
import { print, quantile, showCount, showMs, table } from '../harness/report.js';
import { makeBlock, openLedger } from '../undo/chain.js';

const { values: flags } = parseArgs({ options: { blocks: { type: 'string', default: '300' } } });

/** Transfers of a block. */
const SIZES = [1, 10, 100];

/** Milliseconds of the processor that an action takes: what else runs on the machine disturbs them least. */
const ms = (action) => {
  const started = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
};

/** Opens a ledger without the index of operations by address. */
async function openBare(options) {
  const opened = await openLedger(options);
  const { store } = opened;
  const commit = store.commitBlock.bind(store);
  store.commitBlock = (block) => commit({ ...block, involved: undefined });
  return opened;
}

/** Applies the same blocks to two ledgers, alternating: one with the index. */
async function cost(transfers, durable, blocks) {
  const source = await openLedger({ durable: false });
  const indexed = await openLedger({ durable });
  const bare = await openBare({ durable });
  const times = { indexed: [], bare: [] };
  for (let number = 1; number <= blocks; number += 1) {
    makeBlock(source.ledger, transfers);
    const block = source.ledger.blocks.nativeBlock(number);
    if (block === undefined) throw new Error(`block ${number} is not there`);
    const sides = {
      indexed: () => indexed.ledger.chain.importBlock(block),
      bare: () => bare.ledger.chain.importBlock(block),
    };
    for (const side of number % 2 === 0 ? ['indexed', 'bare'] : ['bare', 'indexed'])
      times[side].push(ms(sides[side]));
  }
  const bytes = [indexed, bare].map(({ store }) => store.statistics().usedBytes);
  for (const { close } of [source, indexed, bare]) await close();
  const ratios = times.indexed.map((time, index) => time / times.bare[index]);
  const differences = times.indexed.map((time, index) => time - times.bare[index]);
  return {
    medians: [times.bare, times.indexed].map((side) => quantile(side, 0.5)),
    ratio: quantile(ratios, 0.5),
    microseconds: (1_000 * quantile(differences, 0.5)) / transfers,
    bytes: (bytes[0] - bytes[1]) / (blocks * transfers),
  };
}

const head = ['transfers of a block', 'durable', 'without', 'with index', 'median of the ratios'];
const rows = [[...head, 'µs an operation', 'bytes an operation']];
for (const durable of [false, true]) {
  for (const transfers of SIZES) {
    const { medians, ratio, microseconds, bytes } = await cost(transfers, durable, Number(flags.blocks));
    rows.push([
      ...[String(transfers), durable ? 'yes' : 'no', ...medians.map(showMs)],
      `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`,
      ...[microseconds.toFixed(1), showCount(bytes)],
    ]);
  }
}
print(table(rows));
