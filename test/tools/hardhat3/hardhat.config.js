/** A project of Hardhat 3 that knows only the URL of the node. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import ignition from '@nomicfoundation/hardhat-ignition-ethers';
import networkHelpers from '@nomicfoundation/hardhat-network-helpers';
import viem from '@nomicfoundation/hardhat-viem';
import upgrades from '@openzeppelin/hardhat-upgrades';

const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync(require.resolve('solc/package.json'), 'utf8'));

export default {
  plugins: [ignition, upgrades, viem, networkHelpers],
  // The compiler is npm's: nothing is downloaded.
  solidity: {
    version,
    path: require.resolve('solc/soljson.js'),
    preferWasm: true,
    settings: { evmVersion: 'cancun' },
  },
  ignition: { strategyConfig: { create2: { salt: process.env.TOOLS_SALT } } },
  networks: {
    target: {
      type: 'http',
      url: process.env.TOOLS_URL,
      accounts: {
        mnemonic: process.env.TOOLS_MNEMONIC,
        initialIndex: Number(process.env.TOOLS_ACCOUNT),
        count: 1,
      },
    },
    // The accounts of the node itself, and the node as the remote one of a fork.
    unlocked: { type: 'http', url: process.env.TOOLS_URL, accounts: 'remote' },
    simulated: { type: 'edr-simulated', chainType: 'l1', forking: { url: process.env.TOOLS_URL } },
  },
  // Calls at earlier blocks of a fork need the rules of the remote chain.
  chainDescriptors: {
    [process.env.TOOLS_CHAIN_ID]: {
      name: 'remote',
      chainType: 'l1',
      hardforkHistory: { osaka: { blockNumber: 0 } },
    },
  },
};
