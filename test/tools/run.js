/**
 * Has Ethereum's wallets and tools work with a running node: `npm run test:tools`. It installs them as the lock file
 * beside it says, starts a node, tries what every tool has to show, and prints a table; it ends with status 1 when
 * one of them does not show it. `README.md` says more.
 */

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { install } from './install.js';

const ROWS = [
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
  'told',
  'replay',
];

const { values } = parseArgs({
  options: {
    target: { type: 'string', default: 'ledgerd' },
    url: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    lanes: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
    'no-install': { type: 'boolean', default: false },
  },
});

const only = values.only === '' ? ROWS : values.only.split(',');
const unknown = only.filter((name) => !ROWS.includes(name));
if (unknown.length > 0) throw new Error(`--only takes ${ROWS.join(', ')}, not ${unknown.join(', ')}`);
if (values.target !== 'ledgerd' && values.target !== 'anvil') {
  throw new Error(`--target takes ledgerd or anvil, not ${values.target}`);
}
if (!/^[1-9]$/.test(values.lanes)) throw new Error(`--lanes takes 1 to 9, not ${values.lanes}`);

if (!values['no-install']) install(fileURLToPath(new URL('.', import.meta.url)));
// The suite's imports exist only after the installation.
const { runSuite } = await import('./suite.js');
process.exitCode = await runSuite({
  target: values.target,
  url: values.url,
  rows: ROWS.filter((name) => only.includes(name)),
  lanes: Number(values.lanes),
  json: values.json,
});
