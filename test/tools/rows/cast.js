/** Foundry's cast. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCreateAddress } from 'ethers';
import { accountOf } from '../harness/accounts.js';
import { holds, refused, same } from '../harness/checks.js';
import { contracts } from '../harness/contracts.js';
import { foundry } from '../harness/foundry.js';
import { newKey } from '../harness/raw-transaction.js';

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'cast', packages: ['@foundry-rs/cast'], run };

/** @type {import('../harness/row.js').Run} */
async function run(checks, target, scratch) {
  const { address, privateKey } = accountOf('cast');
  const cast = (/** @type {string[]} */ ...words) => foundry('cast', words, scratch, target.url);
  const castJson = async (/** @type {string} */ command, /** @type {string[]} */ ...words) =>
    JSON.parse(await cast(command, '--json', ...words));
  const key = ['--private-key', privateKey];

  const counter = await checks.check('send --create; nonce', async () => {
    const nonce = Number(await cast('nonce', address));
    const receipt = await castJson(
      'send',
      ...key,
      '--create',
      `${contracts().Counter.bytecode}${'28'.padStart(64, '0')}`,
    );
    same(receipt.status, '0x1', 'status');
    same(receipt.contractAddress, getCreateAddress({ from: address, nonce }), 'contractAddress');
    same(await cast('nonce', address), nonce + 1, 'nonce after');
    return receipt.contractAddress;
  });
  if (counter === undefined) return;
  const sent = await checks.check('send', async () => {
    const receipt = await castJson('send', ...key, counter, 'add(uint256)', '2');
    same([receipt.status, receipt.type, receipt.logs.length], ['0x1', '0x2', 1], 'status, type, logs');
    same(await cast('call', counter, 'count()(uint256)'), 42, 'count');
    return receipt;
  });
  await checks.check('send --legacy', async () => {
    const receipt = await castJson('send', '--legacy', ...key, counter, 'add(uint256)', '1');
    same([receipt.status, receipt.type], ['0x1', '0x0'], 'status, type');
  });
  await checks.check('wallet sign-auth, and send --auth', async () => {
    const owner = newKey();
    const nonce = ['--nonce', '0', '--chain', String(Number(target.chainId))];
    const signed = await cast('wallet', 'sign-auth', ...nonce, '--private-key', owner.privateKey, counter);
    const receipt = await castJson('send', ...key, '--auth', signed, owner.address, 'add(uint256)', '5');
    same([receipt.status, receipt.type], ['0x1', '0x4'], 'status, type');
    same(await cast('call', owner.address, 'count()(uint256)'), 5, 'count of the account');
    same(await cast('code', owner.address), `0xef0100${counter.slice(2).toLowerCase()}`, 'code');
  });
  await checks.check('send --blob, with proofs of cells and of blobs', async () => {
    const path = join(scratch, 'blob.bin');
    writeFileSync(path, 'the data of a blob');
    for (const form of [[], ['--eip4844']]) {
      const receipt = await castJson('send', '--blob', ...form, '--path', path, ...key, address);
      same([receipt.status, receipt.type, receipt.blobGasUsed], ['0x1', '0x3', '0x20000'], 'receipt');
    }
  });
  await checks.check('send --async, then receipt', async () => {
    const hash = await cast('send', '--async', ...key, address, '--value', '1ether');
    same((await castJson('receipt', hash)).status, '0x1', 'status');
  });
  await checks.check('error: a transaction that reverts is not sent', () =>
    refused(() => cast('send', ...key, counter, 'refuse()'), /revert/i),
  );
  if (sent === undefined) return;
  await reads(checks, { cast, castJson, address, counter, sent });
  await checks.check('chain-id', async () => same(await cast('chain-id'), target.chainId, 'chain-id'));
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {object} world
 * @param {(...words: string[]) => Promise<string>} world.cast
 * @param {(command: string, ...words: string[]) => Promise<any>} world.castJson
 * @param {string} world.address of the sender
 * @param {string} world.counter address of the contract
 * @param {any} world.sent receipt of a transaction
 */
async function reads(checks, { cast, castJson, address, counter, sent }) {
  await checks.check('tx', async () => {
    const transaction = await castJson('tx', sent.transactionHash);
    same(
      [transaction.from, transaction.to, transaction.type],
      [address.toLowerCase(), counter.toLowerCase(), '0x2'],
      'from, to, type',
    );
    holds((await cast('tx', sent.transactionHash)).includes('maxFeePerGas'), 'its text has no fees');
  });
  await checks.check('receipt', async () => {
    const receipt = await castJson('receipt', sent.transactionHash);
    same(receipt.blockHash, sent.blockHash, 'blockHash');
    same(BigInt(receipt.gasUsed), BigInt(sent.gasUsed), 'gasUsed');
  });
  await checks.check('block --full', async () => {
    const block = await castJson('block', '--full', String(Number(sent.blockNumber)));
    same(block.hash, sent.blockHash, 'hash');
    same(block.transactions[Number(sent.transactionIndex)].hash, sent.transactionHash, 'transaction');
    holds((await cast('block', 'latest', '--full')).includes('baseFeePerGas'), 'its text has no base fee');
  });
  await checks.check('estimate', async () => {
    same(await cast('estimate', '--from', address, address, '--value', '1'), 21_000, 'of a transfer');
    holds(
      Number(await cast('estimate', '--from', address, counter, 'add(uint256)', '1')) > 21_000,
      'too low',
    );
  });
  await checks.check('gas-price, base-fee, balance, code, logs', async () => {
    holds(BigInt(await cast('gas-price')) > 0n, 'gas-price is 0');
    holds(BigInt(await cast('base-fee')) > 0n, 'base-fee is 0');
    holds(BigInt(await cast('balance', address)) > 10n ** 20n, 'balance is low');
    holds((await cast('code', counter)).length > 100, 'no code');
    same((await castJson('logs', '--from-block', '0', '--address', counter)).length, 3, 'logs');
  });
  await checks.check('codehash, storage-root of an account', async () => {
    same(await cast('codehash', counter), await cast('keccak', await cast('code', counter)), 'codehash');
    same(await cast('codehash', address), await cast('keccak', '0x'), 'codehash without code');
    same(await cast('storage-root', address), await cast('keccak', '0x80'), 'storage-root without storage');
  });
  await checks.check('run', async () => {
    const trace = await cast('run', sent.transactionHash);
    holds(/Transaction successfully executed/.test(trace), `it said: ${trace}`);
  });
  await checks.check('call --trace', async () => {
    const trace = await cast('call', '--trace', '--from', address, counter, 'add(uint256)', '3');
    holds(/::add\(3\)|771602f7|1003e2d2/.test(trace), `no call of add: ${trace}`);
    holds(/Changed|topic 0/.test(trace), `no event: ${trace}`);
  });
  await checks.check('call --trace of what reverts', async () => {
    const trace = await cast('call', '--trace', '--from', address, counter, 'refuse()');
    holds(/Revert/i.test(trace), `no revert: ${trace}`);
  });
  await checks.check('rpc debug_traceTransaction, debug_traceCall', async () => {
    const { transactionHash } = sent;
    const tracer = JSON.stringify({ tracer: 'callTracer', tracerConfig: { withLog: true } });
    const root = JSON.parse(await cast('rpc', 'debug_traceTransaction', transactionHash, tracer));
    same([root.type, root.to, root.logs.length], ['CALL', counter.toLowerCase(), 1], 'type, to, logs');
    same(root.gasUsed, sent.gasUsed, 'gasUsed');
  });
}
