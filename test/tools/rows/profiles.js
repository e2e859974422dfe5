/** Compares one chain on `/` and on `/ethereum`: the same blocks, transactions and logs at the same positions. */

import { holds, same } from '../harness/checks.js';
import { contracts } from '../harness/contracts.js';
import { Endpoint } from '../harness/endpoint.js';
import { fund } from '../harness/funds.js';
import { newKey, signRaw } from '../harness/raw-transaction.js';
import { nativeUrl } from '../harness/targets.js';

/** Newest blocks that are compared. */
const BLOCKS = 30n;

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'profiles', packages: [], run };

/** @type {import('../harness/row.js').Run} */
async function run(checks, target) {
  const url = nativeUrl(target);
  if (url === undefined) return checks.skip('both profiles', 'for a node that has two');
  const native = new Endpoint(url);
  const { endpoint, chainId } = target;
  const sent = await checks.check('a transaction of a key is found on both', async () => {
    const key = newKey();
    await fund(target, key.address, 10n ** 18n);
    const data = `${contracts().Counter.bytecode}${'28'.padStart(64, '0')}`;
    const raw = signRaw(key.privateKey, { chainId, to: '0x', data, gas: 1_000_000n });
    const receipt = await endpoint.receipt(await endpoint.call('eth_sendRawTransaction', raw));
    const other = await native.call('eth_getTransactionReceipt', receipt.transactionHash);
    for (const field of ['blockHash', 'blockNumber', 'transactionIndex', 'contractAddress', 'status']) {
      same(other?.[field], receipt[field], field);
    }
    return receipt;
  });
  if (sent === undefined) return;
  await checks.check('the hash of / is found on /ethereum', async () => {
    const there = await native.call(
      'eth_getTransactionByBlockNumberAndIndex',
      sent.blockNumber,
      sent.transactionIndex,
    );
    const here = await endpoint.call('eth_getTransactionByHash', there.hash);
    same(here?.hash, sent.transactionHash, 'hash');
  });
  await checks.check(`${BLOCKS} blocks: same hash, parent, transactions and positions`, async () => {
    const head = BigInt(sent.blockNumber);
    for (let number = head; number > 0n && number > head - BLOCKS; number -= 1n) {
      await compareBlock(endpoint, native, `0x${number.toString(16)}`);
    }
  });
  await checks.check('logs: same positions', async () => {
    const range = { fromBlock: '0x0', toBlock: sent.blockNumber };
    const placeOf = (/** @type {any} */ log) =>
      [log.blockHash, log.transactionIndex, log.logIndex, log.address, log.data].join(' ');
    const [here, there] = await Promise.all(
      [endpoint, native].map((each) => each.call('eth_getLogs', range)),
    );
    holds(here.length > 0, 'there are no logs');
    same(here.map(placeOf), there.map(placeOf), 'logs');
  });
}

/**
 * @param {Endpoint} endpoint
 * @param {Endpoint} native
 * @param {string} number
 */
async function compareBlock(endpoint, native, number) {
  const [here, there] = await Promise.all(
    [endpoint, native].map((each) => each.call('eth_getBlockByNumber', number, true)),
  );
  for (const field of ['hash', 'parentHash', 'timestamp', 'number']) {
    same(here[field], there[field], `${field} of block ${number}`);
  }
  same(here.transactions.length, there.transactions.length, `transactions of block ${number}`);
  for (const [index, transaction] of here.transactions.entries()) {
    const other = there.transactions[index];
    same(other.transactionIndex, transaction.transactionIndex, `transactionIndex in block ${number}`);
    const receipt = await endpoint.call('eth_getTransactionReceipt', other.hash);
    same(receipt?.transactionHash, transaction.hash, `receipt ${index} of block ${number}`);
  }
}
