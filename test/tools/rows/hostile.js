/** Transactions that nobody may get in, each with the words that clients look for, and those that have to wait. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { keccak256, parseEther } from 'ethers';
import { accountOf } from '../harness/accounts.js';
import { holds, refused, same } from '../harness/checks.js';
import { fund } from '../harness/funds.js';
import { refusals } from '../harness/hostile-transactions.js';
import { newKey, signRaw } from '../harness/raw-transaction.js';
import { startLedgerd } from '../harness/targets.js';

/** Transactions that wait for one that comes before them, when a node is killed. */
const WAITING = 40;

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'hostile', packages: [], run };

/** @type {import('../harness/row.js').Run} */
async function run(checks, target, scratch) {
  const key = { ...newKey(), nonce: 0n };
  await fund(target, key.address, parseEther('1'));
  await target.endpoint.receipt(await sendOf(target, key, { nonce: 0n }));
  for (const { what, words, raw } of refusals(target.chainId, key)) {
    await checks.check(what, async () => {
      key.nonce = BigInt((await stateOf(target, key.address)).nonce);
      await changesNothing(target, key, words, raw());
    });
  }
  await again(checks, target, key);
  await waiting(checks, target, key);
  if (target.name === 'ledgerd') {
    await checks.check(`a restart with ${WAITING} that wait`, () => restart(scratch));
  } else {
    checks.skip(
      `a restart with ${WAITING} that wait`,
      'for a node that the suite starts, and that keeps its pool',
    );
  }
}

/** @typedef {import('../harness/targets.js').Target} Target */
/** @typedef {{ address: string, privateKey: string }} Key */

/**
 * @param {Target} target
 * @param {string} raw
 * @returns {Promise<string>}
 */
function sendRaw({ endpoint }, raw) {
  return endpoint.call('eth_sendRawTransaction', raw);
}

/**
 * @param {Target} target
 * @param {Key} key
 * @param {import('../harness/raw-transaction.js').Fields} fields
 */
function sendOf(target, { privateKey }, fields) {
  return sendRaw(target, signRaw(privateKey, { chainId: target.chainId, ...fields }));
}

/**
 * @param {Target} target
 * @param {string} address
 */
async function stateOf({ endpoint }, address) {
  return {
    balance: await endpoint.call('eth_getBalance', address, 'latest'),
    nonce: await endpoint.call('eth_getTransactionCount', address, 'latest'),
    pending: await endpoint.call('eth_getTransactionCount', address, 'pending'),
  };
}

/**
 * @param {Target} target
 * @param {Key} key
 * @param {RegExp} words
 * @param {string} raw
 */
async function changesNothing(target, { address }, words, raw) {
  const before = await stateOf(target, address);
  await refused(() => sendRaw(target, raw), words);
  same(await stateOf(target, address), before, 'what the sender has');
  const found = await target.endpoint.call('eth_getTransactionByHash', keccak256(raw));
  same(found, null, 'the transaction');
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {Target} target
 * @param {Key} key
 */
async function again(checks, target, key) {
  await checks.check('sent again after its inclusion', async () => {
    const { nonce } = await stateOf(target, key.address);
    const raw = signRaw(key.privateKey, { chainId: target.chainId, nonce: BigInt(nonce) });
    const receipt = await target.endpoint.receipt(await sendRaw(target, raw));
    const before = await stateOf(target, key.address);
    await refused(() => sendRaw(target, raw), /already known|nonce too low/i);
    same(await stateOf(target, key.address), before, 'what the sender has');
    same(await target.endpoint.receipt(keccak256(raw)), receipt, 'receipt');
  });
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {Target} target
 * @param {Key} key
 */
async function waiting(checks, target, key) {
  const { endpoint } = target;
  const { nonce } = await stateOf(target, key.address);
  const next = BigInt(nonce);
  const gapped = { nonce: next + 2n, value: 3n };
  const raw = signRaw(key.privateKey, { chainId: target.chainId, ...gapped });
  await checks.check('a nonce with a gap waits', async () => {
    same(await sendRaw(target, raw), keccak256(raw), 'hash');
    same((await stateOf(target, key.address)).pending, nonce, 'pending nonce');
    same(await endpoint.call('eth_getTransactionReceipt', keccak256(raw)), null, 'receipt');
  });
  await checks.check('sent again while it waits', () =>
    refused(() => sendRaw(target, raw), /already known|already imported/i),
  );
  await checks.check('replaced by less than 10 % more', () =>
    refused(
      () => sendOf(target, key, { ...gapped, maxFee: 21_900_000_000n, tip: 1n }),
      /replacement transaction underpriced/i,
    ),
  );
  await checks.check('replaced, and included when the gap is filled', async () => {
    const replacement = await sendOf(target, key, { ...gapped, value: 4n, maxFee: 22_000_000_000n, tip: 1n });
    const filling = await sendOf(target, key, { nonce: next });
    const second = await sendOf(target, key, { nonce: next + 1n });
    const receipts = await Promise.all([filling, second, replacement].map((hash) => endpoint.receipt(hash)));
    const positions = receipts.map(
      (receipt) => Number(receipt.blockNumber) * 1_000 + Number(receipt.transactionIndex),
    );
    same(
      positions,
      positions.toSorted((left, right) => left - right),
      'order',
    );
    same(
      await endpoint.call('eth_getTransactionReceipt', keccak256(raw)),
      null,
      'receipt of what was replaced',
    );
    same(BigInt((await stateOf(target, key.address)).nonce), next + 3n, 'nonce');
  });
  await checks.check('what was replaced is too late', () =>
    refused(() => sendRaw(target, raw), /nonce too low/i),
  );
}

/**
 * Fills the pool of a separate node, kills it, and lets the next run include everything.
 *
 * @param {string} scratch
 */
async function restart(scratch) {
  const folder = join(scratch, 'node');
  mkdirSync(folder);
  const words = ['--ethereum', '--test', '--data-dir', folder];
  const { address, privateKey } = accountOf('others');
  let target = await startLedgerd(words);
  const { chainId } = target;
  const raws = Array.from({ length: WAITING + 1 }, (_, nonce) =>
    signRaw(privateKey, { chainId, nonce: BigInt(nonce) }),
  );
  try {
    for (const raw of raws.slice(1)) await sendRaw(target, raw);
    same(BigInt((await stateOf(target, address)).nonce), 0n, 'nonce before');
  } finally {
    await target.stop('SIGKILL');
  }
  target = await startLedgerd(words);
  try {
    await target.endpoint.receipt(await sendRaw(target, raws[0]));
    const receipts = await Promise.all(raws.map((raw) => target.endpoint.receipt(keccak256(raw))));
    holds(
      receipts.every(({ status }) => status === '0x1'),
      'a transaction failed',
    );
    same(BigInt((await stateOf(target, address)).nonce), BigInt(raws.length), 'nonce after');
  } finally {
    await target.stop();
  }
}
