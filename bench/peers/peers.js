/** What is compared, and how each is started. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** Accounts that each peer is started with; as many send at once. */
export const ACCOUNTS = 64;

const HERE = fileURLToPath(new URL('.', import.meta.url));

/**
 * Every peer: its name; `find`, which tells where its program is and which version, or nothing when it is not
 * installed; `command`, the words that start it at a port; and what it has to be told before it is measured. All
 * are told not to print their requests.
 */
export const PEERS = [
  {
    name: 'ledgerd',
    find: ({ program }) => ({ file: program, version: versionBeside(program) }),
    command: ({ file }, port, { flags }) => [
      process.execPath,
      file,
      ...['start', '--port', String(port), '--accounts', String(ACCOUNTS), '--quiet', ...flags],
    ],
  },
  {
    name: 'anvil',
    find: () => installed(`@foundry-rs/anvil-${platform()}`, 'bin/anvil'),
    // The program itself: the script of the package would start it from a process of Node.js.
    command: ({ file }, port) => [file, '--port', String(port), '--accounts', String(ACCOUNTS), '--silent'],
  },
  {
    name: 'hardhat',
    find: () => installed('hardhat', 'internal/cli/bootstrap.js'),
    command: ({ file }, port) => [
      process.execPath,
      file,
      ...['--config', 'hardhat.config.cjs', 'node', '--hostname', '127.0.0.1', '--port', String(port)],
    ],
    folder: HERE,
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

/** What the processes of all peers find in their environment. `folder` is for what they keep for their user. */
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

function platform() {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  return `${process.platform}-${architecture}`;
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
