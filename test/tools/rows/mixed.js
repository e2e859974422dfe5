/** Amounts: wei that are no whole native unit, ether inside contracts, and both kinds of accounts paying each other. */

import { Contract, ContractFactory, parseEther } from 'ethers';
import { refused, same } from '../harness/checks.js';
import { contracts } from '../harness/contracts.js';
import { Endpoint } from '../harness/endpoint.js';
import { openWallet } from '../harness/ethers-wallet.js';
import { fund } from '../harness/funds.js';
import { payNatively } from '../harness/native-transfer.js';
import { newKey, signRaw } from '../harness/raw-transaction.js';
import { nativeUrl } from '../harness/targets.js';

const PRICE = 10_000_000_000n;
/** Wei that are missing to one native unit. */
const DUST = PRICE - 1n;

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'mixed', packages: ['ethers'], run };

/** @type {import('../harness/row.js').Run} */
async function run(checks, target, scratch) {
  const key = newKey();
  await fund(target, key.address, parseEther('20'));
  const wallet = openWallet(target.url, key.privateKey);
  try {
    await dust(checks, target, wallet);
    await till(checks, wallet);
    await wrapped(checks, wallet);
    await native(checks, target, wallet, scratch);
  } finally {
    wallet.provider?.destroy();
  }
}

/** @typedef {import('../harness/targets.js').Target} Target */
/** @typedef {import('ethers').Wallet} Wallet */

/**
 * @param {Wallet} wallet
 * @param {string} name
 * @returns {Promise<any>}
 */
async function deploy(wallet, name) {
  const { abi, bytecode } = contracts()[name];
  const contract = await new ContractFactory(abi, bytecode, wallet).deploy();
  await contract.waitForDeployment();
  return new Contract(await contract.getAddress(), abi, wallet);
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {Target} target
 * @param {Wallet} wallet
 */
async function dust(checks, target, wallet) {
  const { endpoint, chainId } = target;
  await checks.check('1 wei arrives, stays, and pays for nothing', async () => {
    const receiver = newKey();
    await (await wallet.sendTransaction({ to: receiver.address, value: 1n })).wait();
    same(await endpoint.quantity('eth_getBalance', receiver.address, 'latest'), 1n, 'balance');
    const raw = signRaw(receiver.privateKey, { chainId, nonce: 0n });
    await refused(() => endpoint.call('eth_sendRawTransaction', raw), /insufficient funds/i);
    await (await wallet.sendTransaction({ to: receiver.address, value: DUST })).wait();
    same(await endpoint.quantity('eth_getBalance', receiver.address, 'latest'), DUST + 1n, 'balance after');
  });
  await checks.check('an account is emptied to the last wei', async () => {
    const owner = newKey();
    const funds = 21_000n * PRICE * 4n + DUST;
    await fund(target, owner.address, funds);
    const fee = 21_000n * PRICE * 3n;
    const raw = signRaw(owner.privateKey, {
      chainId,
      nonce: 0n,
      type: 0,
      maxFee: PRICE * 3n,
      value: funds - fee,
    });
    const receipt = await endpoint.receipt(await endpoint.call('eth_sendRawTransaction', raw));
    const paid = 21_000n * BigInt(receipt.effectiveGasPrice);
    same(await endpoint.quantity('eth_getBalance', owner.address, 'latest'), fee - paid, 'balance');
  });
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {Wallet} wallet
 */
async function till(checks, wallet) {
  const contract = await checks.check('a contract that takes ether is deployed', () =>
    deploy(wallet, 'Till'),
  );
  if (contract === undefined) return;
  const address = await contract.getAddress();
  await checks.check('msg.value == 1 ether', async () => {
    const receipt = await (await contract.pay({ value: parseEther('1') })).wait();
    same([receipt.status, receipt.logs[0].args.value], [1, parseEther('1')], 'status, value of the event');
    same(await wallet.provider?.getBalance(address), parseEther('1'), 'balance');
    const nearly = { value: parseEther('1') - 1n };
    await refused(() => contract.pay.staticCall(nearly), /not one ether/);
    const failed = await contract.pay({ ...nearly, gasLimit: 100_000n });
    await refused(() => failed.wait(), /CALL_EXCEPTION|reverted/);
    same(await wallet.provider?.getBalance(address), parseEther('1'), 'balance after the failure');
  });
  await checks.check('a contract sends 1 wei on', async () => {
    const { address: receiver } = newKey();
    await (await contract.take(receiver, 1n, { value: 1n })).wait();
    same(await wallet.provider?.getBalance(receiver), 1n, 'balance of the receiver');
    await (await contract.take(receiver, parseEther('0.5') + 1n)).wait();
    same(await wallet.provider?.getBalance(address), parseEther('0.5') - 1n, 'balance of the contract');
  });
  await checks.check('a contract sees the gas price of the call and the base fee of the block', async () => {
    const data = contract.interface.encodeFunctionData('prices');
    const answer = await wallet.provider?.call({ from: wallet.address, to: address, data, gasPrice: PRICE });
    const [gasPrice, baseFee] = contract.interface.decodeFunctionResult('prices', answer ?? '0x');
    const block = await wallet.provider?.getBlock('latest');
    same([gasPrice, baseFee], [PRICE, block?.baseFeePerGas], 'gas price, base fee');
  });
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {Wallet} wallet
 */
async function wrapped(checks, wallet) {
  await checks.check('WETH: wraps and unwraps', async () => {
    const weth = await deploy(wallet, 'WrappedEther');
    await (await weth.deposit({ value: parseEther('1') + 1n })).wait();
    await (await wallet.sendTransaction({ to: await weth.getAddress(), value: 2n })).wait();
    same(await weth.balanceOf(wallet.address), parseEther('1') + 3n, 'wrapped');
    const before = (await wallet.provider?.getBalance(wallet.address)) ?? 0n;
    const receipt = await (await weth.withdraw(parseEther('0.25') + 1n)).wait();
    const after = (await wallet.provider?.getBalance(wallet.address)) ?? 0n;
    same(after - before, parseEther('0.25') + 1n - receipt.fee, 'gain');
    same(await weth.totalSupply(), parseEther('0.75') + 2n, 'what is left');
  });
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {Target} target
 * @param {Wallet} wallet
 * @param {string} scratch
 */
async function native(checks, target, wallet, scratch) {
  const url = nativeUrl(target);
  const account = url === undefined ? undefined : (await new Endpoint(url).call('eth_accounts'))[0];
  if (url === undefined || account === undefined) {
    return checks.skip('native accounts', 'for a node that has some');
  }
  const endpoint = new Endpoint(url);
  await checks.check('a key pays a native account; / shows whole units', async () => {
    const before = await target.endpoint.quantity('eth_getBalance', account, 'latest');
    const receipt = await (await wallet.sendTransaction({ to: account, value: DUST })).wait();
    same(receipt?.status, 1, 'status');
    const after = await target.endpoint.quantity('eth_getBalance', account, 'latest');
    same(after - before, DUST, 'wei that the native account got');
    same(await endpoint.quantity('eth_getBalance', account, 'latest'), after / PRICE, 'units on /');
    same(
      await endpoint.quantity('eth_getBalance', wallet.address, 'latest'),
      (await target.endpoint.quantity('eth_getBalance', wallet.address, 'latest')) / PRICE,
      'units of the key on /',
    );
  });
  const { nativeKey } = target;
  if (nativeKey === undefined) {
    return checks.skip('a native account pays a key', 'for ledgerd, where the suite starts it');
  }
  await checks.check('a native account pays a key', async () => {
    const receiver = newKey();
    const units = 3n * 10n ** 9n;
    await endpoint.receipt(await payNatively(endpoint, nativeKey, receiver.address, units, scratch));
    const wei = await target.endpoint.quantity('eth_getBalance', receiver.address, 'latest');
    same(wei, units * PRICE, 'wei of the key');
    same(await endpoint.quantity('eth_getBalance', receiver.address, 'latest'), units, 'units of the key');
  });
}
