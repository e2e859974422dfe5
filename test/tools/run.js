/**
 * Runs Ethereum's wallets and tools against a node: `npm run test:tools`. Installs them by the lock file beside it,
 * starts a node, runs the checks of every tool, and prints a table; exits with status 1 if a check fails. `README.md`
 * describes the rows.
 */

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { install } from './install.js';

const ROWS = [
  'fork-hardhat3',
  'fork-forge',
  'fork-viem',
  'fork-ethers',
  'fork-again',
  'hardhat3',
  'hardhat2',
  'upgrades',
  'forge',
  'cast',
  'safe',
  'ethers',
  'viem',
  'accounts',
  'web3',
  'wscat',
  'metamask',
  'hostile',
  'mixed',
  'profiles',
  'node-log',
  'replay',
];

const { values } = parseArgs({
  options: {
    target: { type: 'string', default: 'ledgerd' },
    url: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    parallel: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
    'no-install': { type: 'boolean', default: false },
  },
});

const only = values.only === '' ? ROWS : values.only.split(',');
const unknown = only.filter((name) => !ROWS.includes(name));
if (unknown.length > 0) throw new Error(`--only takes ${ROWS.join(', ')}, not ${unknown.join(', ')}`);
if (values.target !== 'ledgerd' && values.target !== 'anvil' && values.target !== 'drop-in') {
  throw new Error(`--target takes ledgerd, drop-in or anvil, not ${values.target}`);
}
if (!/^[1-9]$/.test(values.parallel)) throw new Error(`--parallel takes 1 to 9, not ${values.parallel}`);

if (!values['no-install']) install(fileURLToPath(new URL('.', import.meta.url)));
// The suite's imports exist only after the installation.
const { runSuite } = await import('./suite.js');
process.exitCode = await runSuite({
  target: values.target,
  url: values.url,
  rows: ROWS.filter((name) => only.includes(name)),
  parallel: Number(values.parallel),
  json: values.json,
});
