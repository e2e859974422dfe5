import { createRequire } from 'node:module';
import nodeTestRunner from '@nomicfoundation/hardhat-node-test-runner';
import viem from '@nomicfoundation/hardhat-viem';
import { defineConfig } from 'hardhat/config';
import { startTestNode } from 'ledgerd';

const require = createRequire(import.meta.url);

// It runs in the process of Hardhat, and ends with it.
const node = await startTestNode({ ethereum: true });

export default defineConfig({
  plugins: [nodeTestRunner, viem],
  // npm's compiler: with a version alone, Hardhat downloads one.
  solidity: {
    version: require('solc/package.json').version,
    path: require.resolve('solc/soljson.js'),
    preferWasm: true,
  },
  networks: {
    ledgerd: {
      type: 'http',
      chainType: 'l1',
      url: String(node.ethereumUrl),
      accounts: node.ethereumAccounts.map(({ privateKey }) => privateKey),
    },
  },
});
