'use strict';
/** A project of Hardhat 2, whose only knowledge of the node is its URL. */

require('@nomicfoundation/hardhat-ignition-ethers');
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names');
const { subtask } = require('hardhat/config');
const { version } = require('solc/package.json');

// The compiler is npm's: nothing is downloaded.
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
  version,
  longVersion: version,
}));

module.exports = {
  solidity: { version, settings: { evmVersion: 'cancun' } },
  ignition: { strategyConfig: { create2: { salt: process.env.TOOLS_SALT } } },
  networks: {
    target: {
      url: process.env.TOOLS_URL,
      accounts: {
        mnemonic: process.env.TOOLS_MNEMONIC,
        initialIndex: Number(process.env.TOOLS_ACCOUNT),
        count: 1,
      },
    },
  },
};
