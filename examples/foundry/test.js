/** Tests the contract in forge, deploys it to a node, and tests the deployed one. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { startTestNode } from 'ledgerd';

const node = await startTestNode({ ethereum: true });
const [{ privateKey }] = node.ethereumAccounts;

async function forge(words, variables = {}) {
  const env = { ...process.env, ...variables, TEST_NODE_ETHEREUM_URL: node.ethereumUrl };
  const [status] = await once(spawn('npx', ['forge', ...words], { env, stdio: 'inherit' }), 'close');
  if (status !== 0) process.exit(1);
}

await forge(['test', '--match-contract', 'CounterTest']);
await forge([
  'script',
  'script/Deploy.s.sol',
  '--rpc-url',
  'ledgerd',
  '--broadcast',
  '--private-key',
  privateKey,
]);
const { transactions } = JSON.parse(readFileSync('broadcast/Deploy.s.sol/31337/run-latest.json', 'utf8'));
await forge(['test', '--match-contract', 'DeployedTest', '--fork-url', 'ledgerd'], {
  COUNTER: transactions[0].contractAddress,
});
await node.stop();
