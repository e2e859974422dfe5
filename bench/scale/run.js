/**
 * Measures how cost grows: reads from chains of several sizes, and blocks of several sizes. See ../README.md for the
 * flags.
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadContracts } from '../peers/contracts.js';
import { hasWrk } from '../peers/wrk.js';
import { print, showCount, showProgress } from '../timing.js';
import { measureApplication } from './application.js';
import { buildChain } from './chain.js';
import { measureReads } from './reads.js';
import { applicationTable, chainTable, readTable } from './report.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    blocks: { type: 'string', default: '10,1000,10000' },
    accounts: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    'warm-up': { type: 'string', default: '2' },
    'skip-reads': { type: 'boolean', default: false },
    'skip-application': { type: 'boolean', default: false },
    program: { type: 'string', default: here('../../bin/ledgerd.js') },
    chains: { type: 'string' },
    output: { type: 'string', default: here('../build/scale') },
  },
});

const { Token } = loadContracts();
const rounds = Number(flags.rounds);
const numbersOf = (text) => text.split(',').map(Number);

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
    chains.push(await chainIn(join(flags.chains ?? scratch, String(count)), count));
  }
  const options = { rounds, seconds: Number(flags.seconds), warmUp: Number(flags['warm-up']) };
  const { results, nodes } = await measureReads(chains, { ...options, program: flags.program, scratch });
  const facts = chains.map(({ count, megabytes, seconds }, index) => {
    return { count, megabytes, seconds, ...nodes[index] };
  });
  return { chains: facts, results };
}

function blocks() {
  const [accounts, sizes] = [Number(flags.accounts), numbersOf(flags.blocks)];
  return measureApplication({ accounts, sizes, rounds, bytecode: Token.bytecode });
}

/** Runs one part and gives its figures, with the machine's load before and after. */
async function part(action) {
  const [before] = loadavg();
  const figures = await action();
  showProgress('\n');
  return { figures, load: [before, loadavg()[0]] };
}

function report(measured, machine) {
  const loadOf = ({ load }) => `Load ${load.map((value) => value.toFixed(1)).join(' before, ')} after.`;
  const text = [`# How cost grows\n\n${machine}. Medians, ± half of what lies between the quartiles.`];
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
  print(text.join('\n\n'));
  mkdirSync(flags.output, { recursive: true });
  writeFileSync(join(flags.output, 'table.md'), `${text.join('\n\n')}\n`);
  const record = { machine, flags, ...measured };
  writeFileSync(join(flags.output, 'results.json'), `${JSON.stringify(record, undefined, 2)}\n`);
}

if (!flags['skip-reads'] && !hasWrk())
  throw new Error('the reads need wrk, a package of Debian; see --skip-reads');
const scratch = mkdtempSync(join(tmpdir(), 'ledgerd-scale-'));
try {
  const measured = {};
  if (!flags['skip-reads']) measured.read = await part(() => reads(scratch));
  if (!flags['skip-application']) measured.application = await part(blocks);
  report(measured, `${cpus().length} × ${cpus()[0]?.model}, Node.js ${process.version}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
