/** A ledger in this process with a token, a full block and logs, and a dispatcher over it as the server has one. */

import { pathToFileURL } from 'node:url';
import { encodeDeployData, encodeFunctionData } from 'viem';
import { requestOf, resultOf } from '../../test/rpc-client.js';
import { loadContracts } from '../peers/contracts.js';

const SUPPLY = 10n ** 27n;
const ACCOUNTS = 20;
/** Transactions of the block that is read. */
const FULL_BLOCK = 100;
/** Logs that `eth_getLogs` finds, ten of each transaction. */
const LOGS = 5_000;
const MARK = `0x${'ab'.repeat(32)}`;

/** @typedef {Awaited<ReturnType<typeof openWorld>>} World */

/**
 * Opens a test node of a build and fills its chain through the dispatcher.
 *
 * @param {string} root folder of a checkout that was built
 */
export async function openWorld(root) {
  const load = (path) => import(pathToFileURL(`${root}/dist/${path}`).href);
  const { DEFAULT_CONFIGURATION, startTestNode } = await load('node/index.js');
  const { createDispatcher } = await load('rpc/index.js');
  const { Metrics } = await load('server/metrics/metrics.js');
  // No pauses, so that only the work is measured.
  const rpc = { ...DEFAULT_CONFIGURATION.rpc, timeSliceMsMax: Number.POSITIVE_INFINITY };
  const node = await startTestNode({ ...DEFAULT_CONFIGURATION, rpc, port: 0, accounts: ACCOUNTS });
  const { ledger, wallet } = node;
  const metrics = new Metrics({});
  const dispatcher = createDispatcher({
    ledger,
    wallet,
    version: '1.0.0',
    limits: rpc,
    backoff: { isResting: () => false, note: () => undefined },
    onCall: metrics.onCall,
  });
  // The node's own one makes the blocks; an earlier build does not hand it out.
  const ask = (method, ...params) => askOf(node.dispatcher ?? dispatcher, method, params);
  const world = { ...(await fillChain(ask)), ...replaceableCall(ledger) };
  const close = async () => {
    metrics.close();
    await node.close();
  };
  // As a connection of the server is: the same for all its requests.
  const caller = { client: 'bench' };
  return { ...world, ledger, handle: (body) => dispatcher.handle(body, caller), close };
}

// Calls are queued on a busy machine.
async function askOf(dispatcher, method, params) {
  return resultOf(method, JSON.parse(await dispatcher.handle(requestOf(method, ...params))));
}

async function fillChain(ask) {
  const contracts = loadContracts();
  const accounts = await ask('eth_accounts');
  const [from] = accounts;
  const send = (fields) => ask('eth_sendTransaction', { from, gas: '0x4c4b40', ...fields });
  const deploy = async (contract, ...args) => {
    const hash = await send({ data: encodeDeployData({ ...contract, args }) });
    const { contractAddress } = await ask('eth_getTransactionReceipt', hash);
    return contractAddress;
  };
  const token = await deploy(contracts.Token, SUPPLY);
  const emitter = await deploy(contracts.Emitter);
  const encodeCall = ({ abi }, functionName, ...args) => encodeFunctionData({ abi, functionName, args });
  const transfers = [];
  for (const account of accounts.slice(1)) {
    transfers.push(await send({ to: token, data: encodeCall(contracts.Token, 'transfer', account, 5n) }));
  }
  for (let made = 0; made < LOGS; made += 10) {
    await send({ to: emitter, data: encodeCall(contracts.Emitter, 'emitTen', MARK, MARK) });
  }
  await ask('miner_stop');
  for (let made = 0; made < FULL_BLOCK; made += 1) {
    const to = accounts[(made + 1) % accounts.length];
    await ask('eth_sendTransaction', {
      from: accounts[made % accounts.length],
      to,
      value: '0x1',
      gas: '0x5208',
    });
  }
  await ask('evm_mine');
  await ask('miner_start');
  const balances = accounts.map((account) => encodeCall(contracts.Token, 'balanceOf', account));
  return { accounts, token, emitter, transfers, balances, fullBlock: await ask('eth_blockNumber') };
}

/** Replaces the execution of the ledger's calls by a fixed outcome, so that only the rest is measured. */
function replaceableCall(ledger) {
  const real = ledger.calls.call.bind(ledger.calls);
  const outcome = { ...real({}), output: new Uint8Array(32).fill(7) };
  const atOnce = () => outcome;
  let current = real;
  ledger.calls.call = (message) => current(message);
  return {
    withoutCalls(work) {
      current = atOnce;
      try {
        return work();
      } finally {
        current = real;
      }
    },
  };
}
