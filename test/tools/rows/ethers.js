/** A wallet of ethers 6. */

import {
  Contract,
  ContractFactory,
  getCreateAddress,
  keccak256,
  NonceManager,
  parseEther,
  Transaction,
} from 'ethers';
import { accountOf } from '../harness/accounts.js';
import { holds, refused, same } from '../harness/checks.js';
import { contracts } from '../harness/contracts.js';
import { openWallet } from '../harness/ethers-wallet.js';
import { newKey } from '../harness/raw-transaction.js';

const SENDS = 20;

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'ethers', packages: ['ethers'], run };

/** @type {import('../harness/row.js').Run} */
async function run(checks, target) {
  const wallet = openWallet(target.url, accountOf('ethers').privateKey);
  try {
    await contractOf(checks, wallet);
    await types(checks, wallet);
    await sends(checks, wallet);
  } finally {
    wallet.provider?.destroy();
  }
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {import('ethers').Wallet} wallet
 */
async function contractOf(checks, wallet) {
  const { abi, bytecode } = contracts().Counter;
  const address = await checks.check('deploys; the computed address is the receipt’s', async () => {
    const nonce = await wallet.getNonce();
    const factory = new ContractFactory(abi, bytecode, wallet);
    const contract = await factory.deploy(40n, { value: parseEther('0.5') });
    const receipt = await contract.deploymentTransaction()?.wait();
    same(receipt?.contractAddress, getCreateAddress({ from: wallet.address, nonce }), 'contractAddress');
    same(await contract.getAddress(), receipt?.contractAddress, 'address of the factory');
    same(receipt?.to, null, 'to of a creation');
    return contract.getAddress();
  });
  if (address === undefined) return;
  const counter = new Contract(address, abi, wallet);
  await checks.check('writes, reads and finds its events', async () => {
    const sent = await counter.add(2n);
    const receipt = await sent.wait();
    same(await counter.count(), 42n, 'count');
    same(await counter.owner(), wallet.address, 'owner');
    const events = await counter.queryFilter('Changed', receipt.blockNumber, receipt.blockNumber);
    same(events.length, 1, 'events');
    same('args' in events[0] ? events[0].args.count : undefined, 42n, 'count of the event');
    same(events[0].transactionHash, sent.hash, 'transaction of the event');
  });
  await checks.check('error of a contract', async () => {
    await refused(() => counter.refuse.staticCall(), /reverted.*Refused/);
    const sent = await counter.refuse.send({ gasLimit: 100_000n });
    await refused(() => sent.wait(), /CALL_EXCEPTION|reverted/);
    same((await wallet.provider?.getTransactionReceipt(sent.hash))?.status, 0, 'status');
  });
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {import('ethers').Wallet} wallet
 */
async function types(checks, wallet) {
  const provider = /** @type {import('ethers').JsonRpcProvider} */ (wallet.provider);
  for (const type of [0, 1, 2]) {
    await checks.check(`type ${type}: sent hash = keccak; fee = loss of balance`, async () => {
      const to = newKey().address;
      const before = await provider.getBalance(wallet.address);
      const request = await wallet.populateTransaction({ to, value: 12_345n, type });
      const raw = await wallet.signTransaction(request);
      const sent = await provider.broadcastTransaction(raw);
      same(sent.hash, keccak256(raw), 'hash');
      const receipt = await sent.wait();
      holds(receipt !== null, 'no receipt');
      same(receipt.hash, keccak256(raw), 'hash of the receipt');
      same(receipt.type, type, 'type of the receipt');
      same(receipt.gasUsed, 21_000n, 'gas');
      const after = await provider.getBalance(wallet.address);
      same(before - after, receipt.fee + 12_345n, 'loss of balance');
      same(await provider.getBalance(to), 12_345n, 'gain of the receiver');
      const found = await provider.getTransaction(sent.hash);
      same(found?.type, type, 'type');
      same(found === null ? undefined : Transaction.from(found).serialized, raw, 'bytes from the answer');
    });
  }
  await checks.check('the price is the base fee and the tip', async () => {
    const sent = await wallet.sendTransaction({
      to: wallet.address,
      maxFeePerGas: 50_000_000_000n,
      maxPriorityFeePerGas: 40_000_000_000n,
    });
    const receipt = await sent.wait();
    const { baseFeePerGas } = (await wallet.provider?.getBlock(receipt?.blockNumber ?? 0)) ?? {};
    same(receipt?.gasPrice, (baseFeePerGas ?? 0n) + 40_000_000_000n, 'effectiveGasPrice');
  });
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {import('ethers').Wallet} wallet
 */
async function sends(checks, wallet) {
  await checks.check(`${SENDS} sends without waiting`, async () => {
    const manager = new NonceManager(wallet);
    const to = newKey().address;
    const sent = await Promise.all(
      Array.from({ length: SENDS }, () => manager.sendTransaction({ to, value: 1n, gasLimit: 21_000n })),
    );
    const receipts = await Promise.all(sent.map((transaction) => transaction.wait()));
    same(
      receipts.map((receipt) => receipt?.status),
      Array(SENDS).fill(1),
      'statuses',
    );
    same(await wallet.provider?.getBalance(to), SENDS, 'balance of the receiver');
  });
  await checks.check(`${SENDS} sends one after the other, each nonce asked for as pending`, async () => {
    const to = newKey().address;
    for (let index = 0; index < SENDS; index += 1) await wallet.sendTransaction({ to, value: 1n });
    const last = await wallet.sendTransaction({ to, value: 1n });
    await last.wait();
    same(await wallet.provider?.getBalance(to), SENDS + 1, 'balance of the receiver');
  });
}
