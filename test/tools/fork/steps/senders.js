/** Steps that send transactions of impersonated accounts, and signed transactions. */

import { numberToHex } from 'viem';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { MNEMONIC } from '../../harness/accounts.js';
import { failing, saved, send, sendRaw, step } from '../step.js';
import { WHALE } from '../world.js';
import { callOf, contextCall, ETHER } from './messages.js';

const GAS = '0x186a0';
const GWEI = 10n ** 9n;
/** An account that lets others pay for its transactions (EIP-7702). */
const AUTHORITY = privateKeyToAccount(`0x${'77'.repeat(32)}`);

/** @typedef {import('../world.js').World} World */
/** @typedef {import('../step.js').Step} Step */

/**
 * Sends from accounts without keys: a whale, a contract, and a holder of tokens without ether.
 *
 * @param {World} world
 * @param {import('../../differential/random.js').Random} random
 * @returns {Step[]}
 */
export function impersonations({ apple, pear, pair, accounts, wrapped, holders }, random) {
  const [, bob] = accounts;
  const holder = random.pick(holders);
  const pay = { from: WHALE, to: bob, value: '0x1', gas: GAS };
  const isOwn = true;
  const transferOf = (
    /** @type {string} */ from,
    /** @type {import('../contracts.js').Contract} */ token,
  ) => ({
    ...{ from, gas: GAS },
    ...callOf(token, 'transfer', bob, 3n),
  });
  return [
    failing('eth_sendTransaction', pay),
    step('anvil_impersonateAccount', WHALE),
    ...send('whale pays', { from: WHALE, to: bob, value: numberToHex(ETHER) }, { isOwn }),
    ...send('whale transfers', transferOf(WHALE, apple), { isOwn }),
    step('eth_getTransactionByHash', saved('whale transfers')),
    step('anvil_stopImpersonatingAccount', WHALE),
    failing('eth_sendTransaction', pay),
    step('hardhat_impersonateAccount', pair.address),
    step('anvil_setBalance', pair.address, numberToHex(ETHER)),
    ...send('pair transfers', transferOf(pair.address, pear), { isOwn }),
    step('eth_getTransactionCount', pair.address, 'latest'),
    step('eth_getCode', pair.address, 'latest'),
    step('hardhat_stopImpersonatingAccount', pair.address),
    step('anvil_autoImpersonateAccount', true),
    failing('eth_sendTransaction', transferOf(holder, apple)),
    step('anvil_setBalance', holder, numberToHex(ETHER)),
    ...send('holder transfers', transferOf(holder, apple), { isOwn }),
    step('anvil_autoImpersonateAccount', false),
    ...[WHALE, holder, pair.address].map((address) => step('eth_getBalance', address, 'latest')),
    step('eth_call', callOf(wrapped, 'balanceOf', pair.address), 'latest'),
  ];
}

/** Sends transactions of each type that a key has signed. @param {World} world @returns {Promise<Step[]>} */
export async function signed(world) {
  const { apple, multicall, chainId } = world;
  // No other step sends transactions of this key.
  const key = mnemonicToAccount(MNEMONIC, { addressIndex: 3 });
  const call = { ...callOf(apple, 'approve', multicall, 5n), gas: 100_000n };
  const sign = (/** @type {number} */ nonce, /** @type {any} */ fields) =>
    key.signTransaction({ chainId, nonce, ...call, ...fields });
  const price = { gasPrice: GWEI };
  const fees = { maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: GWEI };
  const accessList = [{ address: apple.address, storageKeys: [`0x${'00'.repeat(32)}`] }];
  const authorizationList = [await AUTHORITY.signAuthorization({ address: multicall, chainId, nonce: 0 })];
  const delegated = { ...contextCall(world, 'getBlockNumber'), to: AUTHORITY.address, authorizationList };
  return [
    // anvil takes an account that the remote chain does not have for one that exists, and refunds gas (EIP-7702).
    step('anvil_setBalance', AUTHORITY.address, '0x1'),
    ...sendRaw('type 0', await sign(0, { type: 'legacy', ...price })),
    ...sendRaw('type 1', await sign(1, { type: 'eip2930', ...price, accessList })),
    ...sendRaw('type 2', await sign(2, { type: 'eip1559', ...fees })),
    ...sendRaw('type 4', await sign(3, { type: 'eip7702', ...fees, ...delegated })),
    ...['type 0', 'type 1', 'type 2', 'type 4'].map((name) => step('eth_getTransactionByHash', saved(name))),
    step('eth_getCode', AUTHORITY.address, 'latest'),
    step('eth_getTransactionCount', AUTHORITY.address, 'latest'),
    step('eth_getRawTransactionByHash', saved('type 2')),
    failing('eth_sendRawTransaction', await sign(0, { type: 'eip1559', ...fees })),
    failing('eth_sendRawTransaction', await sign(4, { type: 'eip1559', ...fees, chainId: chainId + 1 })),
    failing('eth_sendRawTransaction', '0x02'),
  ];
}
