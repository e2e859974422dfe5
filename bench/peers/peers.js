/** The compared programs, and their commands. */

import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ANVIL_PACKAGE, anvilCommand } from '../harness/anvil.js';
import { withConnection } from '../harness/connection.js';
import { HARDHAT_FILE, HARDHAT_PACKAGE, HARDHAT_PROJECT, hardhatCommand } from '../harness/hardhat.js';
import { print } from '../harness/report.js';
import { startServer } from '../harness/server.js';

const require = createRequire(import.meta.url);

/** Accounts that each peer is started with; as many send at once. */
export const ACCOUNTS = 64;

/**
 * A peer: `find` tells where its program is and which version, or nothing when it is not installed; `command` gives the
 * words that start it at a port, in `folder`; `begin` are calls that come before it is measured. All are told not to
 * print their requests.
 *
 * @typedef {object} Definition
 * @property {string} name
 * @property {(options: any) => { file: string, version: string } | undefined} find
 * @property {(found: { file: string }, port: number, options: any) => string[]} command
 * @property {string} [folder]
 * @property {[method: string, params: unknown[]][]} [begin]
 */

/** @typedef {import('../harness/server.js').Server & { name: string, version: string }} Peer */

/** @type {readonly Definition[]} */
const PEERS = [
  ledgerdBuild('ledgerd', 'program'),
  ledgerdBuild('base', 'base'),
  {
    name: 'anvil',
    find: () => installed(ANVIL_PACKAGE, 'bin/anvil'),
    command: (_found, port) => [...anvilCommand(port), '--accounts', String(ACCOUNTS)],
  },
  {
    name: 'hardhat',
    find: () => installed(HARDHAT_PACKAGE, HARDHAT_FILE),
    command: ({ file }, port) => hardhatCommand(file, port),
    folder: HARDHAT_PROJECT,
    begin: [['hardhat_setLoggingEnabled', [false]]],
  },
  {
    name: 'ganache',
    find: () => installed('ganache', 'dist/node/cli.js'),
    command: ({ file }, port) => [
      process.execPath,
      file,
      ...['--server.host', '127.0.0.1', '--server.port', String(port), '--logging.quiet'],
      // By default it gives each transaction 90,000 gas, which deploys nothing; the others estimate.
      ...['--miner.defaultTransactionGasLimit', 'estimate', '--wallet.totalAccounts', String(ACCOUNTS)],
    ],
  },
];

/** Returns the peers of a list of names; prints those that are not installed. @returns {Definition[]} */
export function choosePeers(names, options) {
  const chosen = PEERS.filter(({ name }) => names.split(',').includes(name));
  const missing = chosen.filter((definition) => definition.find(options) === undefined);
  for (const { name } of missing) print(`${name} is not installed, and left out.`);
  return chosen.filter((definition) => !missing.includes(definition));
}

/**
 * A peer that is a build of ledgerd.
 *
 * @param {string} name
 * @param {'program' | 'base'} option the option that names the program of the build; none without it
 * @returns {Definition}
 */
function ledgerdBuild(name, option) {
  return {
    name,
    find: ({ [option]: file }) => (file ? { file, version: versionBeside(file) } : undefined),
    command: ({ file }, port, { flags }) => [
      process.execPath,
      file,
      ...['start', '--port', String(port), '--accounts', String(ACCOUNTS), '--quiet', ...flags],
    ],
  };
}

/**
 * Starts a peer, with a folder for what it keeps for its user.
 *
 * @param {Definition} definition
 * @returns {Promise<Peer>}
 * @throws {Error} when it is not installed, and as `startServer`
 */
export async function startPeer(definition, options) {
  const { name, folder, begin = [] } = definition;
  const found = definition.find(options);
  if (found === undefined) throw new Error(`${name} is not installed`);
  const kept = mkdtempSync(join(options.folder, `${name}-`));
  const server = await startServer((port) => definition.command(found, port, options), {
    folder,
    env: environmentOf(kept),
    mostMemory: options.mostMemory,
  });
  await withConnection(server.port, async (connection) => {
    for (const [method, params] of begin) await connection.call(method, ...params);
  });
  return { ...server, name, version: found.version };
}

/** Returns the environment of all peers' processes. `folder` holds their user data. */
export function environmentOf(folder) {
  return {
    ...process.env,
    CI: 'true',
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    BENCH_ACCOUNTS: String(ACCOUNTS),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
    TMPDIR: folder,
  };
}

function installed(name, path) {
  try {
    const description = require.resolve(`${name}/package.json`);
    const file = join(dirname(description), path);
    return existsSync(file) ? { file, version: versionIn(description) } : undefined;
  } catch {
    return undefined;
  }
}

function versionBeside(program) {
  return versionIn(join(dirname(program), '..', 'package.json'));
}

function versionIn(description) {
  return JSON.parse(readFileSync(description, 'utf8')).version;
}
