/**
 * MetaMask, replayed: the calls that it makes when a network is added, when a transaction is confirmed, while it is
 * pending, and when it is sped up or cancelled. Its origin is that of the extension, and its fees are those of its
 * fallback: the gas price as both fields.
 */

import { keccak256, parseEther } from 'ethers';
import { holds, same } from '../harness/checks.js';
import { contracts } from '../harness/contracts.js';
import { Endpoint } from '../harness/endpoint.js';
import { fund } from '../harness/funds.js';
import { newKey, signRaw } from '../harness/raw-transaction.js';

const ORIGINS = [
  'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
  'moz-extension://2f4d7c41-6c2f-4f0b-8a3e-5a1d3b0c9e11',
];
/** The part of a block's gas that it takes when an estimate fails, and the most a transaction may have (EIP-7825). */
const FALLBACK_PART = 0.35;
const MOST_GAS = 16_777_216;

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'metamask', packages: [], run };

/** @type {import('../harness/row.js').Run} */
async function run(checks, target) {
  const [origin] = ORIGINS;
  const wallet = new Endpoint(target.url, { origin });
  const key = newKey();
  await fund(target, key.address, parseEther('10'));
  for (const each of ORIGINS)
    await checks.check(`may ask from ${each.split(':')[0]}://…`, () => asks(target.url, each));
  await checks.check('adds the network', () => addNetwork(wallet, target.chainId, key.address));
  await checks.check('sends; maxFee = tip = gasPrice', () => sends(wallet, target.chainId, key));
  await checks.check('deploys and calls a contract', () => deploys(wallet, target.chainId, key));
  await checks.check('follows a transaction that fails', () => fails(wallet, target.chainId, key));
  await checks.check('speeds up by 10 %', () => replaces(wallet, target.chainId, key, false));
  await checks.check('cancels by 10 %', () => replaces(wallet, target.chainId, key, true));
}

/** @typedef {{ address: string, privateKey: string }} Key */

/**
 * @param {string} url
 * @param {string} origin
 */
async function asks(url, origin) {
  const endpoint = new Endpoint(url, { origin });
  const preflight = await endpoint.send('OPTIONS', '', {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  });
  holds(
    preflight.status < 300,
    `the question before the call gave HTTP ${preflight.status}: ${preflight.text}`,
  );
  const body = JSON.stringify({ jsonrpc: '2.0', id: 4_294_967_295, method: 'eth_chainId', params: [] });
  for (const { headers } of [preflight, await endpoint.send('POST', body)]) {
    const allowed = headers['access-control-allow-origin'];
    holds(allowed === '*' || allowed === origin, `access-control-allow-origin is ${allowed}`);
  }
}

/**
 * @param {Endpoint} wallet
 * @param {bigint} chainId
 * @param {string} address
 */
async function addNetwork(wallet, chainId, address) {
  same(await wallet.call('eth_chainId'), `0x${chainId.toString(16)}`, 'eth_chainId');
  same(await wallet.call('net_version'), String(chainId), 'net_version');
  const block = await wallet.call('eth_getBlockByNumber', 'latest', false);
  holds(BigInt(block.baseFeePerGas ?? 0) > 0n, `baseFeePerGas is ${block.baseFeePerGas}`);
  const fallback = Math.floor(Number(block.gasLimit) * FALLBACK_PART);
  holds(fallback < MOST_GAS, `${fallback}, which is 35 % of gasLimit, is more than a transaction may have`);
  holds(BigInt(await wallet.call('eth_blockNumber')) >= BigInt(block.number), 'eth_blockNumber');
  same(await wallet.quantity('eth_getBalance', address, 'latest'), parseEther('10'), 'balance');
  const history = await wallet.call('eth_feeHistory', '0x5', 'latest', [10, 20, 30]);
  same(history.baseFeePerGas.length, history.gasUsedRatio.length + 1, 'base fees');
  holds(
    history.baseFeePerGas.every((/** @type {string} */ fee) => BigInt(fee) > 0n),
    'a base fee is 0',
  );
  holds(BigInt(await wallet.call('eth_gasPrice')) > 0n, 'eth_gasPrice is 0');
}

/**
 * Sends as MetaMask does: fees, gas, the nonce at a block number, and the raw bytes.
 *
 * @param {Endpoint} wallet
 * @param {bigint} chainId
 * @param {Key} key
 * @param {{ to?: string, value?: bigint, data?: string, gas?: bigint }} wish
 */
async function send(wallet, chainId, { address, privateKey }, { to, value = 0n, data = '0x', gas }) {
  if (to !== undefined) await wallet.call('eth_getCode', to, 'latest');
  const gasPrice = await wallet.quantity('eth_gasPrice');
  const { number } = await wallet.call('eth_getBlockByNumber', 'latest', false);
  const request = { from: address, to, value: `0x${value.toString(16)}`, data };
  const estimate = gas ?? (await wallet.quantity('eth_estimateGas', request));
  const nonce = await wallet.quantity('eth_getTransactionCount', address, number);
  const raw = signRaw(privateKey, {
    chainId,
    nonce,
    maxFee: gasPrice,
    tip: gasPrice,
    gas: to === undefined || data !== '0x' ? (estimate * 3n) / 2n : estimate,
    to: to ?? '0x',
    value,
    data,
  });
  const hash = await wallet.call('eth_sendRawTransaction', raw);
  same(hash, keccak256(raw), 'hash');
  return hash;
}

/**
 * Waits for a confirmation as MetaMask does.
 *
 * @param {Endpoint} wallet
 * @param {string} hash
 * @param {'0x1' | '0x0'} status
 */
async function confirm(wallet, hash, status) {
  const receipt = await wallet.receipt(hash);
  same(receipt.status, status, 'status');
  const block = await wallet.call('eth_getBlockByHash', receipt.blockHash, false);
  same(block.number, receipt.blockNumber, 'block of the receipt');
  holds(block.transactions.includes(hash), 'the block does not name the transaction');
  const transaction = await wallet.call('eth_getTransactionByHash', hash);
  same(transaction.blockHash, receipt.blockHash, 'block of the transaction');
  holds(BigInt(receipt.effectiveGasPrice) > 0n, 'effectiveGasPrice');
  return receipt;
}

/**
 * @param {Endpoint} wallet
 * @param {bigint} chainId
 * @param {Key} key
 */
async function sends(wallet, chainId, key) {
  const to = newKey().address;
  const before = await wallet.quantity('eth_getBalance', key.address, 'latest');
  const receipt = await confirm(wallet, await send(wallet, chainId, key, { to, value: 5n }), '0x1');
  same(receipt.gasUsed, '0x5208', 'gasUsed');
  const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  same(
    before - (await wallet.quantity('eth_getBalance', key.address, 'latest')),
    fee + 5n,
    'loss of balance',
  );
}

/**
 * @param {Endpoint} wallet
 * @param {bigint} chainId
 * @param {Key} key
 */
async function deploys(wallet, chainId, key) {
  const data = `${contracts().Counter.bytecode}${'28'.padStart(64, '0')}`;
  const { contractAddress, to } = await confirm(wallet, await send(wallet, chainId, key, { data }), '0x1');
  same(to, null, 'to of a creation');
  const add = `0x1003e2d2${'2'.padStart(64, '0')}`;
  const { logs } = await confirm(
    wallet,
    await send(wallet, chainId, key, { to: contractAddress, data: add }),
    '0x1',
  );
  same(BigInt(logs[0]?.data), 42n, 'data of the log');
}

/**
 * @param {Endpoint} wallet
 * @param {bigint} chainId
 * @param {Key} key
 */
async function fails(wallet, chainId, key) {
  const wish = { data: '0xfe', gas: 60_000n };
  const { gasUsed } = await confirm(wallet, await send(wallet, chainId, key, wish), '0x0');
  same(BigInt(gasUsed), 90_000n, 'gasUsed');
}

/**
 * Queues a transaction behind a nonce gap; another one with ten percent more replaces it.
 *
 * @param {Endpoint} wallet
 * @param {bigint} chainId
 * @param {Key} key
 * @param {boolean} isCancelled
 */
async function replaces(wallet, chainId, { address, privateKey }, isCancelled) {
  const to = newKey().address;
  const gasPrice = (await wallet.quantity('eth_gasPrice')) * 2n;
  const nonce = await wallet.quantity('eth_getTransactionCount', address, 'latest');
  const send = (/** @type {bigint} */ at, /** @type {bigint} */ fee, /** @type {object} */ wish) =>
    wallet.call(
      'eth_sendRawTransaction',
      signRaw(privateKey, { chainId, nonce: at, maxFee: fee, tip: fee, ...wish }),
    );
  const first = await send(nonce + 1n, gasPrice, { to, value: 7n });
  const pending = await wallet.call('eth_getTransactionByHash', first);
  same([pending?.hash, pending?.blockHash], [first, null], 'hash and block while it is pending');
  same(await wallet.call('eth_getTransactionReceipt', first), null, 'receipt while it is pending');
  const wish = isCancelled ? { to: address, value: 0n } : { to, value: 7n };
  const second = await send(nonce + 1n, (gasPrice * 11n) / 10n, wish);
  const filler = await send(nonce, gasPrice, { to: address });
  await confirm(wallet, filler, '0x1');
  await confirm(wallet, second, '0x1');
  same(await wallet.call('eth_getTransactionReceipt', first), null, 'receipt of what was replaced');
  same(await wallet.call('eth_getTransactionByHash', first), null, 'what was replaced');
  same(
    await wallet.quantity('eth_getBalance', to, 'latest'),
    isCancelled ? 0n : 7n,
    'balance of the receiver',
  );
  same(await wallet.quantity('eth_getTransactionCount', address, 'latest'), nonce + 2n, 'nonce');
}
