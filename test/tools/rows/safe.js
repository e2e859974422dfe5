/** Safe: its contracts through the singleton factory, and an account of several owners by its protocol kit. */

import { createRequire } from 'node:module';
import { dataSlice, getCreate2Address, hexlify, keccak256, parseEther, randomBytes, ZeroHash } from 'ethers';
import { accountOf } from '../harness/accounts.js';
import { holds, refused, same } from '../harness/checks.js';
import { openWallet } from '../harness/ethers-wallet.js';
import { newKey } from '../harness/raw-transaction.js';

// Renamed, so that TypeScript does not resolve packages that may not be installed.
const load = createRequire(import.meta.url);
const { getSingletonFactoryInfo } = load('@safe-global/safe-singleton-factory');
const { default: Safe } = load('@safe-global/protocol-kit');

/** Contracts of Safe that the kit needs. */
const CONTRACTS = {
  safeSingletonAddress: 'Safe.sol/Safe',
  safeProxyFactoryAddress: 'proxies/SafeProxyFactory.sol/SafeProxyFactory',
  multiSendAddress: 'libraries/MultiSend.sol/MultiSend',
  multiSendCallOnlyAddress: 'libraries/MultiSendCallOnly.sol/MultiSendCallOnly',
  fallbackHandlerAddress: 'handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler',
  signMessageLibAddress: 'libraries/SignMessageLib.sol/SignMessageLib',
  createCallAddress: 'libraries/CreateCall.sol/CreateCall',
  simulateTxAccessorAddress: 'accessors/SimulateTxAccessor.sol/SimulateTxAccessor',
};

/** @type {import('../harness/row.js').Row} */
export const row = {
  name: 'safe',
  packages: [
    '@safe-global/protocol-kit',
    '@safe-global/safe-singleton-factory',
    '@safe-global/safe-contracts',
  ],
  run,
};

/** @type {import('../harness/row.js').Run} */
async function run(checks, target) {
  const { privateKey } = accountOf('safe');
  const wallet = openWallet(target.url, privateKey);
  const {
    address: factory,
    transaction,
    signerAddress,
    gasPrice,
    gasLimit,
  } = getSingletonFactoryInfo(Number(target.chainId));
  await checks.check('the singleton factory is there from the beginning', async () => {
    holds((await target.endpoint.call('eth_getCode', factory, 'latest')).length > 2, 'no code');
  });
  if ((await target.endpoint.call('eth_getCode', factory, 'latest')) === '0x') {
    const value = BigInt(gasPrice) * BigInt(gasLimit);
    await (await wallet.sendTransaction({ to: signerAddress, value })).wait();
    await target.endpoint.receipt(await target.endpoint.call('eth_sendRawTransaction', transaction));
  }
  const addresses = await checks.check('deploys its contracts by the factory: predicted = deployed', () =>
    deployAll(target, wallet, factory),
  );
  if (addresses !== undefined) await account(checks, target, wallet, addresses);
}

/**
 * @param {import('../harness/targets.js').Target} target
 * @param {import('ethers').Wallet} wallet
 * @param {string} factory
 */
async function deployAll(target, wallet, factory) {
  /** @type {Record<string, string>} */
  const addresses = {};
  for (const [name, path] of Object.entries(CONTRACTS)) {
    const folder = path.split('/').toSpliced(-1, 1).join('/');
    const { bytecode } = load(
      `@safe-global/safe-contracts/build/artifacts/contracts/${folder}/${path.split('/').at(-1)}.json`,
    );
    const address = getCreate2Address(factory, ZeroHash, keccak256(bytecode));
    addresses[name] = address;
    if ((await target.endpoint.call('eth_getCode', address, 'latest')) !== '0x') continue;
    const sent = await wallet.sendTransaction({
      to: factory,
      data: `${ZeroHash}${dataSlice(bytecode, 0).slice(2)}`,
    });
    same((await sent.wait())?.status, 1, `status of ${name}`);
    holds((await target.endpoint.call('eth_getCode', address, 'latest')).length > 2, `no code of ${name}`);
  }
  return addresses;
}

/**
 * @param {import('../harness/checks.js').Checks} checks
 * @param {import('../harness/targets.js').Target} target
 * @param {import('ethers').Wallet} wallet
 * @param {Record<string, string>} addresses
 */
async function account(checks, target, wallet, addresses) {
  const others = [newKey(), newKey()];
  const owners = [wallet.address, ...others.map(({ address }) => address)];
  const settings = { provider: target.url, contractNetworks: { [String(target.chainId)]: addresses } };
  const safe = await checks.check('an account of three owners: predicted = deployed', async () => {
    const predictedSafe = {
      safeAccountConfig: { owners, threshold: 2 },
      safeDeploymentConfig: { saltNonce: String(BigInt(hexlify(randomBytes(16)))), safeVersion: '1.4.1' },
    };
    const predicted = await Safe.init({ ...settings, signer: wallet.privateKey, predictedSafe });
    const safeAddress = await predicted.getAddress();
    const { to, value, data } = await predicted.createSafeDeploymentTransaction();
    await (await wallet.sendTransaction({ to, value, data })).wait();
    const connected = await Safe.init({ ...settings, signer: wallet.privateKey, safeAddress });
    same(await connected.isSafeDeployed(), true, 'isSafeDeployed');
    same((await connected.getOwners()).toSorted(), owners.toSorted(), 'owners');
    same(await connected.getThreshold(), 2, 'threshold');
    return connected;
  });
  if (safe === undefined) return;
  const safeAddress = await safe.getAddress();
  const receiver = newKey().address;
  const transaction = await safe
    .createTransaction({
      transactions: [
        { to: receiver, value: String(parseEther('0.75')), data: '0x' },
        { to: receiver, value: '1', data: '0x' },
      ],
    })
    .then((/** @type {any} */ unsigned) => safe.signTransaction(unsigned));
  await checks.check('error: one signature of two', async () => {
    await (await wallet.sendTransaction({ to: safeAddress, value: parseEther('1') })).wait();
    await refused(() => safe.executeTransaction(transaction), /signature|GS020|revert/i);
  });
  await checks.check('two signatures of three execute a batch', async () => {
    const second = await Safe.init({ ...settings, signer: others[0].privateKey, safeAddress });
    const signed = await second.signTransaction(transaction);
    const { hash } = await safe.executeTransaction(signed);
    same((await target.endpoint.receipt(hash)).status, '0x1', 'status');
    same(
      await target.endpoint.quantity('eth_getBalance', receiver, 'latest'),
      parseEther('0.75') + 1n,
      'balance',
    );
    same(await safe.getNonce(), 1, 'nonce of the account');
  });
}
