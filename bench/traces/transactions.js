/** Transactions as they are everywhere: a transfer of coins, one of tokens, and a swap. */

import { createRequire } from 'node:module';
import { compile, shipped } from '../harness/contracts.js';

const { encodeDeployData, encodeFunctionData, maxUint256, numberToHex } = createRequire(import.meta.url)(
  'viem',
);

/** Compiled before there is a connection, which is closed where it takes long. */
const TOKEN = compile(new URL('./Token.sol', import.meta.url), 'shanghai').Token;

/**
 * Sends a transaction and gives its hash and the contract that it made.
 *
 * @param {import('../harness/connection.js').Connection} connection
 * @param {object} fields
 */
async function send(connection, fields) {
  const [from] = await connection.call('eth_accounts');
  const hash = await connection.call('eth_sendTransaction', { from, gas: numberToHex(6_000_000), ...fields });
  for (;;) {
    const receipt = await connection.call('eth_getTransactionReceipt', hash);
    if (receipt === null) continue;
    if (receipt.status !== '0x1') throw new Error(`a transaction failed: ${JSON.stringify(receipt)}`);
    return { hash, contract: receipt.contractAddress };
  }
}

/**
 * Deploys Uniswap v2 with two tokens, and sends one transaction of each kind.
 *
 * @param {import('../harness/connection.js').Connection} connection
 * @returns {Promise<Map<string, string>>} hashes by what was sent
 */
export async function transactionsOf(connection) {
  const [from, other] = await connection.call('eth_accounts');
  /** @param {any} contract @param {unknown[]} args */
  const deploy = async ({ abi, bytecode }, args = []) => {
    const { contract } = await send(connection, { data: encodeDeployData({ abi, bytecode, args }) });
    return { abi, address: contract };
  };
  /** @param {any} contract @param {string} functionName @param {unknown[]} args */
  const run = ({ abi, address }, functionName, args) =>
    send(connection, { to: address, data: encodeFunctionData({ abi, functionName, args }) });
  const [one, two] = [await deploy(TOKEN), await deploy(TOKEN)];
  const coin = await deploy(shipped('@uniswap/v2-periphery/build/WETH9.json'));
  const factory = await deploy(shipped('@uniswap/v2-core/build/UniswapV2Factory.json'), [from]);
  const router = await deploy(shipped('@uniswap/v2-periphery/build/UniswapV2Router02.json'), [
    factory.address,
    coin.address,
  ]);
  for (const token of [one, two]) await run(token, 'approve', [router.address, maxUint256]);
  const ether = 10n ** 18n;
  const far = 10n ** 12n;
  const amounts = [1_000n * ether, 1_000n * ether, 0n, 0n];
  await run(router, 'addLiquidity', [one.address, two.address, ...amounts, from, far]);
  const path = [one.address, two.address];
  return new Map([
    ['a transfer', (await send(connection, { to: other, value: '0x1' })).hash],
    ['an ERC-20 transfer', (await run(one, 'transfer', [other, ether])).hash],
    ['a Uniswap v2 swap', (await run(router, 'swapExactTokensForTokens', [ether, 0n, path, from, far])).hash],
  ]);
}
