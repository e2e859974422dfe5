/** Starts the cluster of deploy/ on this machine; HELP and docs/cluster.md explain it. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { shellWord } from '../dist/node/shell-word.js';
import { freePorts } from '../test/free-ports.js';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const LEDGERD = join(HERE, 'bin/ledgerd.js');
const COUNT = 3;
/** Time-out of a process to start, and to stop. */
const START_MS = 60_000;
const STOP_MS = 15_000;
const LOOK_MS = 100;

const HELP = `Usage: npm run cluster -- [options]

Run a cluster on this machine until Ctrl+C: three log servers, three nodes and, where there is HAProxy, a balancer.

Options:
  --folder <folder>     keeps the chain and all logs (default: a temporary folder, removed at the end)
  --interval <seconds>  time between two blocks of a new chain (default: 1)
  --workers <number>    processes of each node for queries (default: 0)
  --ethereum            a chain that knows Ethereum: wallets and tools work at the path /ethereum
  -h, --help            print this help

Environment:
  NATS_SERVER           program of a log server (default: nats-server on the path)
  HAPROXY               program of the balancer (default: haproxy on the path; without one there is no balancer)

How to get nats-server: docs/cluster.md#getting-nats-server
`;

/**
 * @param {string} message
 * @param {number} status
 * @returns {never}
 */
function fail(message, status = 1) {
  process.stderr.write(`local-cluster: ${message}\n`);
  process.exit(status);
}

function readFlags() {
  try {
    const { values } = parseArgs({
      options: {
        folder: { type: 'string' },
        interval: { type: 'string', default: '1' },
        workers: { type: 'string', default: '0' },
        ethereum: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (error) {
    return fail(`${error.message}\n${HELP}`, 2);
  }
}

const flags = readFlags();
if (flags.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

/**
 * Returns the path of a program: the value of a variable, or one on the path.
 * @param {string} variable
 * @param {string} name
 */
function programOf(variable, name) {
  const { [variable]: named, PATH = '' } = process.env;
  if (named !== undefined && named !== '') return named;
  return PATH.split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** @type {{ readonly name: string, readonly child: import('node:child_process').ChildProcess }[]} */
const running = [];
let isStopping = false;

/**
 * Starts a process that belongs to the cluster; its output goes into a file.
 * @param {string} name
 * @param {readonly [string, ...string[]]} command
 * @param {NodeJS.ProcessEnv} env
 */
function start(name, [program, ...words], env) {
  const child = spawn(program, words, {
    env: { ...process.env, ...env },
    // Ctrl+C is for this script alone, which ends the others in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = join(folder, `${name}.log`);
  writeFileSync(log, '');
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => writeFileSync(log, `${line}\n`, { flag: 'a' }));
  }
  child.on('error', (error) => fail(`${name}: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (!isStopping) process.stderr.write(`${name} has ended (${signal ?? code}): ${log}\n`);
  });
  running.push({ name, child });
  return child;
}

/**
 * Waits until a URL responds with status 200.
 * @param {string} name
 * @param {string} url
 */
async function untilWell(name, url) {
  const end = performance.now() + START_MS;
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok === true) return;
    if (performance.now() > end)
      throw new Error(`${name} is not well at ${url}: ${join(folder, `${name}.log`)}`);
    await sleep(LOOK_MS);
  }
}

/** Ends everything, the balancer first and the log last. */
async function stop() {
  isStopping = true;
  for (const { child } of running.splice(0).reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const isOver = await Promise.race([ended.then(() => true), sleep(STOP_MS, false, { ref: false })]);
    if (isOver) continue;
    child.kill('SIGKILL');
    await ended;
  }
  if (flags.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

const natsServer = programOf('NATS_SERVER', 'nats-server');
if (natsServer === undefined)
  fail('there is no nats-server: name the program by NATS_SERVER; docs/cluster.md says how to get it');
const haproxy = programOf('HAPROXY', 'haproxy');
const folder =
  flags.folder === undefined ? mkdtempSync(join(tmpdir(), 'ledgerd-cluster-')) : resolve(flags.folder);
mkdirSync(folder, { recursive: true });

/** Returns the part of the log's configuration that containers replace, since each has an address. */
function logConfiguration(/** @type {number[]} */ [client, monitor, cluster]) {
  return readFileSync(join(HERE, 'deploy/cluster/nats.conf'), 'utf8')
    .replace('port: 4222', `listen: "127.0.0.1:${client}"`)
    .replace('http_port: 8222', `http: "127.0.0.1:${monitor}"`)
    .replace('port: 6222', `listen: "127.0.0.1:${cluster}"`);
}

async function startLog() {
  const ports = await freePorts(3 * COUNT);
  const servers = Array.from({ length: COUNT }, (_, index) => ({
    name: `log-${index + 1}`,
    ports: ports.slice(3 * index, 3 * index + 3),
  }));
  const ROUTES = JSON.stringify(servers.map(({ ports: [, , cluster] }) => `nats://127.0.0.1:${cluster}`));
  for (const { name, ports: own } of servers) {
    const configuration = join(folder, `${name}.conf`);
    writeFileSync(configuration, logConfiguration(own));
    const STORE = join(folder, name);
    start(name, [String(natsServer), '-c', configuration], { SERVER_NAME: name, STORE, ROUTES });
  }
  for (const {
    name,
    ports: [, monitor],
  } of servers) {
    await untilWell(name, `http://127.0.0.1:${monitor}/healthz`);
  }
  const at = (/** @type {number} */ place, /** @type {string} */ scheme) =>
    servers.map(({ ports: own }) => `${scheme}://127.0.0.1:${own[place]}`).join(',');
  return { log: at(0, 'nats'), monitors: at(1, 'http') };
}

function knowsEthereum(/** @type {string} */ chain) {
  return 'ethereum' in JSON.parse(readFileSync(join(chain, 'node-1/genesis.json'), 'utf8'));
}

function begin(/** @type {string} */ chain) {
  if (existsSync(chain)) {
    if (flags.ethereum && !knowsEthereum(chain))
      throw new Error(`--ethereum is for a new chain, and that of ${chain} does not know Ethereum`);
    return;
  }
  const words = [
    'init',
    '--data-dir',
    chain,
    '--producers',
    String(COUNT),
    '--block-interval',
    flags.interval,
    ...(flags.ethereum ? ['--ethereum'] : []),
  ];
  const { status, stderr } = spawnSync(process.execPath, [LEDGERD, ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

async function startAll() {
  const chain = join(folder, 'chain');
  begin(chain);
  const { log, monitors } = await startLog();
  const [listen, ...ports] = await freePorts(COUNT + 1);
  const nodes = ports.map((port, index) => ({
    name: `node-${index + 1}`,
    address: `127.0.0.1:${port}`,
    /** @type {[string, ...string[]]} */
    command: [
      process.execPath,
      LEDGERD,
      'start',
      '--data-dir',
      join(chain, `node-${index + 1}`),
      '--port',
      String(port),
      '--block-log',
      log,
      ...monitors.split(',').flatMap((url) => ['--block-log-monitor', url]),
      '--max-lag',
      '10',
      '--workers',
      flags.workers,
      '--log-format',
      'json',
    ],
  }));
  for (const { name, command } of nodes) start(name, command, {});
  for (const { name, address } of nodes) await untilWell(name, `http://${address}/health`);
  if (haproxy !== undefined) {
    const names = Object.fromEntries(nodes.map(({ address }, index) => [`NODE_${index + 1}`, address]));
    const LISTEN = `127.0.0.1:${listen}`;
    start('balancer', [haproxy, '-db', '-f', join(HERE, 'deploy/cluster/haproxy.cfg')], { ...names, LISTEN });
    await untilWell('balancer', `http://${LISTEN}/health`);
  }
  const lines = [
    ...(haproxy === undefined
      ? ['Balancer  none: there is no HAProxy (HAPROXY names it)']
      : [`Balancer  http://127.0.0.1:${listen}`]),
    ...nodes.map(({ name, address }) => `${name.padEnd(10)}http://${address}`),
    ...(knowsEthereum(chain) ? ['Ethereum  the same addresses, with the path /ethereum'] : []),
    `Log       ${log}`,
    `Monitors  ${monitors}`,
    `Treasury  ${join(chain, 'treasury.json')}`,
    ...running.map(
      ({ name, child }) => `${name.padEnd(10)}process ${child.pid}, ${join(folder, `${name}.log`)}`,
    ),
    'A node that was killed is started again by its command:',
    ...nodes.map(({ command }) => `  ${command.map(shellWord).join(' ')}`),
    'Ctrl+C ends all of it.',
  ];
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => void stop().then(() => process.exit(0)));
}
try {
  await startAll();
} catch (error) {
  await stop();
  fail(error.message);
}
