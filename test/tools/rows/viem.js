/** A wallet of viem. */

import { createRequire } from 'node:module';
import {
  createPublicClient,
  createWalletClient,
  decodeErrorResult,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  http,
  parseEther,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { accountOf } from '../harness/accounts.js';
import { holds, refused, same } from '../harness/checks.js';
import { contracts } from '../harness/contracts.js';

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'viem', packages: ['viem', '@crate-crypto/node-eth-kzg-linux-x64-gnu'], run };

/** Returns the functions of blobs that viem needs. */
function kzg() {
  const { DasContextJs } = createRequire(import.meta.url)('@crate-crypto/node-eth-kzg-linux-x64-gnu');
  const context = DasContextJs.create({ usePrecomp: false });
  return {
    blobToKzgCommitment: (/** @type {Uint8Array} */ blob) => context.blobToKzgCommitment(blob),
    computeBlobKzgProof: (/** @type {Uint8Array} */ blob, /** @type {Uint8Array} */ commitment) =>
      context.computeBlobKzgProof(blob, commitment),
  };
}

/** @type {import('../harness/row.js').Run} */
async function run(checks, target) {
  const account = privateKeyToAccount(accountOf('viem').privateKey);
  const chain = {
    id: Number(target.chainId),
    name: 'the chain of the node',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [target.url] } },
  };
  const transport = http(target.url, { retryCount: 0 });
  const reader = createPublicClient({ chain, transport, pollingInterval: 100, cacheTime: 0 });
  const wallet = createWalletClient({ account, chain, transport });
  const { abi, bytecode } = contracts().Counter;

  const address = await checks.check('deploys; the address follows from the nonce', async () => {
    const nonce = BigInt(await reader.getTransactionCount({ address: account.address }));
    const hash = await wallet.deployContract({ abi, bytecode, args: [40n] });
    const receipt = await reader.waitForTransactionReceipt({ hash });
    same(receipt.contractAddress, getContractAddress({ from: account.address, nonce }), 'contractAddress');
    same(receipt.status, 'success', 'status');
    same(receipt.from, account.address, 'from');
    return receipt.contractAddress ?? undefined;
  });
  if (address === undefined) return;
  const hash = await checks.check('simulates and writes', async () => {
    const { request, result } = await reader.simulateContract({
      account,
      address,
      abi,
      functionName: 'add',
      args: [2n],
    });
    same(result, 42n, 'result of the simulation');
    const sent = await wallet.writeContract(request);
    const receipt = await reader.waitForTransactionReceipt({ hash: sent });
    holds(receipt.effectiveGasPrice > 0n && receipt.type !== null, 'effectiveGasPrice and type are missing');
    same(await reader.readContract({ address, abi, functionName: 'count' }), 42n, 'count');
    return sent;
  });
  await checks.check('sends blobs', async () => {
    const sent = await wallet.sendTransaction({
      to: account.address,
      blobs: [new Uint8Array(131_072).fill(1)],
      kzg: kzg(),
      maxFeePerBlobGas: 1_000_000_000n,
    });
    const receipt = await reader.waitForTransactionReceipt({ hash: sent });
    same([receipt.status, receipt.type, receipt.blobGasUsed], ['success', 'eip4844', 131_072n], 'receipt');
  });
  await checks.check('finds its events', async () => {
    const events = await reader.getContractEvents({ address, abi, eventName: 'Changed', fromBlock: 0n });
    same(
      events.map((event) => ('args' in event ? /** @type {any} */ (event.args).count : undefined)),
      [40n, 42n],
      'counts of the events',
    );
    same(events[1]?.transactionHash, hash, 'transaction of the second');
  });
  await traces(checks, reader, { account, address, abi, hash });
  await checks.check('names the error of a contract', () =>
    refused(() => reader.simulateContract({ account, address, abi, functionName: 'refuse' }), /Refused/),
  );
  await blocks(checks, reader, wallet);
  await delegations(checks, reader, { wallet, chain, transport, address, abi });
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {any} reader
 * @param {any} world who sent which call of which contract
 */
async function traces(checks, reader, { account, address, abi, hash }) {
  await checks.check('traces by an extension of its client', async () => {
    const tracing = reader.extend((/** @type {any} */ client) => ({
      /** @param {any} config @param {`0x${string}` | undefined} hash */
      traceTransaction: (hash, config) =>
        client.request(/** @type {any} */ ({ method: 'debug_traceTransaction', params: [hash, config] })),
      /** @param {any} call @param {any} config */
      traceCall: (call, config) =>
        client.request(/** @type {any} */ ({ method: 'debug_traceCall', params: [call, 'latest', config] })),
    }));
    const root = /** @type {any} */ (await tracing.traceTransaction(hash, { tracer: 'callTracer' }));
    same(
      [root.type, root.from, root.to],
      ['CALL', account.address.toLowerCase(), address.toLowerCase()],
      'call',
    );
    const states = /** @type {any} */ (
      await tracing.traceTransaction(hash, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } })
    );
    holds(states.post[address.toLowerCase()]?.storage !== undefined, 'no storage that changed');
    const steps = /** @type {any} */ (await tracing.traceTransaction(hash, {}));
    holds(steps.structLogs.length > 50 && steps.failed === false, 'no struct logs');
    const data = encodeFunctionData({ abi, functionName: 'refuse' });
    const refusal = /** @type {any} */ (
      await tracing.traceCall({ to: address, data }, { tracer: 'callTracer' })
    );
    same(refusal.error, 'execution reverted', 'error');
    same(decodeErrorResult({ abi, data: refusal.output }).errorName, 'Refused', 'error of the contract');
  });
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {any} reader
 * @param {any} world the wallet that pays, and the contract to which another key delegates
 */
async function delegations(checks, reader, { wallet, chain, transport, address, abi }) {
  const account = privateKeyToAccount(generatePrivateKey());
  const owner = createWalletClient({ account, chain, transport });
  const to = account.address;
  /** @param {`0x${string}`} contractAddress @param {object} request */
  const delegate = async (contractAddress, request) => {
    const authorization = await owner.signAuthorization({ contractAddress });
    const hash = await wallet.sendTransaction({ to, authorizationList: [authorization], ...request });
    return reader.waitForTransactionReceipt({ hash });
  };
  await checks.check('signAuthorization, and sendTransaction with it', async () => {
    const data = encodeFunctionData({ abi, functionName: 'add', args: [3n] });
    const receipt = await delegate(address, { data });
    same([receipt.status, receipt.type], ['success', 'eip7702'], 'status, type');
    same(receipt.logs[0].address, to.toLowerCase(), 'address of the log');
    same(await reader.getDelegation({ address: to }), getAddress(address), 'delegation');
    same(await reader.readContract({ address: to, abi, functionName: 'count' }), 3n, 'count of the account');
  });
  await checks.check('an authorization of the zero address removes the code', async () => {
    same((await delegate(zeroAddress, {})).status, 'success', 'status');
    same(await reader.getCode({ address: to }), undefined, 'code');
  });
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {any} reader
 * @param {any} wallet
 */
async function blocks(checks, reader, wallet) {
  await checks.check('getFeeHistory: one base fee more than blocks, and no gaps', async () => {
    const count = 3;
    const history = await reader.getFeeHistory({ blockCount: count, rewardPercentiles: [20, 50] });
    same(history.baseFeePerGas.length, count + 1, 'base fees');
    same(history.gasUsedRatio.length, count, 'ratios');
    same(
      history.reward.map((/** @type {unknown[]} */ rewards) => rewards.length),
      Array(count).fill(2),
      'rewards',
    );
    holds(
      history.baseFeePerGas.every((/** @type {bigint} */ fee) => fee > 0n),
      'a base fee is 0',
    );
  });
  await checks.check('estimates fees above the base fee', async () => {
    const { maxFeePerGas } = await reader.estimateFeesPerGas();
    const { baseFeePerGas } = await reader.getBlock();
    holds(maxFeePerGas >= baseFeePerGas, `${maxFeePerGas} is below ${baseFeePerGas}`);
  });
  for (const type of ['legacy', 'eip2930', 'eip1559']) {
    await checks.check(`sends a transaction of type ${type}`, async () => {
      const request = { to: wallet.account.address, value: parseEther('1'), type };
      const accessList = type === 'eip2930' ? [] : undefined;
      const hash = await wallet.sendTransaction({ ...request, ...(accessList && { accessList }) });
      const receipt = await reader.waitForTransactionReceipt({ hash });
      same(receipt.type, type, 'type of the receipt');
      const block = await reader.getBlock({ blockHash: receipt.blockHash, includeTransactions: true });
      same(block.transactions[receipt.transactionIndex].hash, hash, 'the transaction at its index');
    });
  }
}
