/**
 * Measures how cost grows: reads from chains of several sizes, and blocks of several sizes. See ../README.md for the
 * flags.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { numbersOf, outputOf, PROGRAM, readFlags } from '../harness/flags.js';
import { load, machine, showCount, showProgress, writeReport } from '../harness/report.js';
import { withScratch } from '../harness/scratch.js';
import { hasWrk } from '../harness/wrk.js';
import { loadContracts } from '../peers/contracts.js';
import { measureApplication } from './application.js';
import { buildChain } from './chain.js';
import { measureReads } from './reads.js';
import { applicationTable, chainTable, readTable } from './report.js';

const flags = readFlags({
  sizes: '1000,100000,1000000',
  blocks: '10,1000,10000',
  accounts: 50_000,
  rounds: 5,
  seconds: 2,
  'warm-up': 2,
  'skip-reads': false,
  'skip-application': false,
  program: PROGRAM,
  chains: '',
  output: outputOf('scale'),
});

const { Token } = loadContracts();
const { rounds, program } = flags;

/** The chain of a size in a folder: built there, unless an earlier run has left it. */
async function chainIn(folder, count) {
  const description = join(folder, 'chain.json');
  if (!existsSync(description)) {
    mkdirSync(folder, { recursive: true });
    const show = (block) => showProgress(`${showCount(block)} of ${showCount(count)} blocks`);
    writeFileSync(description, JSON.stringify(await buildChain(folder, count, Token.bytecode, show)));
    showProgress('\n');
  }
  return { folder, ...JSON.parse(readFileSync(description, 'utf8')) };
}

async function reads(scratch) {
  const chains = [];
  for (const count of numbersOf(flags.sizes)) {
    chains.push(await chainIn(join(flags.chains || scratch, String(count)), count));
  }
  const options = { rounds, seconds: flags.seconds, warmUp: flags['warm-up'], program, scratch };
  const { results, nodes } = await measureReads(chains, options);
  const facts = chains.map(({ count, megabytes, seconds }, index) => {
    return { count, megabytes, seconds, ...nodes[index] };
  });
  return { chains: facts, results };
}

function blocks() {
  const { accounts, blocks: sizes } = flags;
  return measureApplication({ accounts, sizes: numbersOf(sizes), rounds, bytecode: Token.bytecode });
}

/** Runs one part and gives its figures, with the machine's load before and after. */
async function part(action) {
  const before = load();
  const figures = await action();
  showProgress('\n');
  return { figures, load: [before, load()] };
}

function report(measured) {
  const loadOf = (one) => `Load ${one.load.join(' before, ')} after.`;
  const text = [`# How cost grows\n\n${machine()}. Medians, ± half of what lies between the quartiles.`];
  const { read, application } = measured;
  if (read !== undefined) {
    text.push(`## Chains\n\n${chainTable(read.figures.chains)}`);
    text.push(
      `## Reads of random keys, 32 connections\n\n${readTable(read.figures.results)}\n\n${loadOf(read)}`,
    );
  }
  if (application !== undefined) {
    text.push(`## Blocks\n\n${applicationTable(application.figures)}\n\n${loadOf(application)}`);
  }
  writeReport(flags.output, text.join('\n\n'), { machine: machine(), flags, ...measured });
}

if (!flags['skip-reads'] && !hasWrk())
  throw new Error('the reads need wrk, a package of Debian; see --skip-reads');
await withScratch('scale', async (scratch) => {
  const measured = {};
  if (!flags['skip-reads']) measured.read = await part(() => reads(scratch));
  if (!flags['skip-application']) measured.application = await part(blocks);
  report(measured);
});
