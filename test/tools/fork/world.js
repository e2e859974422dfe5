/** The remote chain of the comparison: contracts that many use, with their holders, pools and accounts. */

import { encodeFunctionData, getContractAddress, numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { Builder, known } from './builder.js';
import { dataOf, preinstalls, readArtifacts } from './contracts.js';
import { placeContracts, sweep } from './slots.js';
import { signedOperation } from './user-operations.js';

/**
 * @typedef {import('./contracts.js').Hex} Hex
 * @typedef {import('./contracts.js').Contract} Contract
 * @typedef {import('../harness/endpoint.js').Endpoint} Endpoint
 * @typedef {import('../differential/random.js').Random} Random
 */

/** Accounts that hold tokens, and those that one transaction pays. */
const HOLDERS = 5_000;
const PAID_AT_ONCE = 250;
const ETHER = 10n ** 18n;
const SUPPLY = 10n ** 27n;
/** Fee of a pool of version 3, in millionths, and the price of its tokens at the start. */
export const POOL_FEE = 3_000;
const EVEN_PRICE = 2n ** 96n;
export const DEADLINE = 4_000_000_000n;
/** An account without a key that has tokens and ether. */
export const WHALE = /** @type {Hex} */ ('0x00000000000000000000000000000000deadbee1');
/** Owner of the account of ERC-4337. */
const OWNER_KEY = /** @type {Hex} */ (`0x${'4337'.repeat(16)}`);
/** Contracts with slots, and the slots of each. */
export const SLOTS = { contracts: 8, slots: 10 };

/** @typedef {Awaited<ReturnType<typeof buildWorld>>} World */

/**
 * Deploys the contracts on a chain and uses them.
 *
 * @param {Endpoint} node
 * @param {Random} random
 */
export async function buildWorld(node, random) {
  const accounts = /** @type {[Hex, Hex, Hex, ...Hex[]]} */ (await node.call('eth_accounts'));
  const chain = new Builder(node, accounts[0]);
  const artifacts = readArtifacts();
  for (const { address, code } of preinstalls()) await node.call('anvil_setCode', address, code);
  await placeContracts(node.url, SLOTS.contracts, SLOTS.slots);
  const tokens = await placeTokens(chain, artifacts);
  const exchange = await openExchange(chain, artifacts, tokens, random);
  const pools = await openPools(chain, artifacts, tokens, random);
  const proxied = await placeProxy(chain, artifacts);
  const holders = await payHolders(chain, tokens.apple, random);
  const smart = await placeAccount(chain, artifacts, tokens.pear);
  for (const { address } of [tokens.apple, tokens.pear, tokens.minted]) {
    await chain.send({ to: address, data: dataOf(tokens.apple, 'transfer', WHALE, 1_000n * ETHER) });
  }
  await chain.send({ to: WHALE, value: numberToHex(50n * ETHER) });
  await node.call('evm_mine');
  const number = Number(await node.call('eth_blockNumber'));
  const chainId = Number(await node.call('eth_chainId'));
  const blockHashes = [];
  for (let at = 0; at <= number; at += 1) {
    blockHashes.push((await node.call('eth_getBlockByNumber', numberToHex(at), false)).hash);
  }
  const sweepSlots = sweep(0, SLOTS.contracts, SLOTS.slots);
  return {
    ...{
      accounts,
      chainId,
      number,
      blockHashes,
      ...tokens,
      ...exchange,
      ...pools,
      ...proxied,
      holders,
      ...smart,
      sweepSlots,
    },
    ...{ hashes: chain.hashes, artifacts, multicall: chain.multicall },
  };
}

/** @typedef {ReturnType<typeof readArtifacts>} Artifacts */

/** @param {Builder} chain @param {Artifacts} artifacts */
async function placeTokens(chain, artifacts) {
  const wrapped = await chain.deploy(artifacts.wrapped);
  const [one, two] = [
    await chain.deploy(artifacts.token, SUPPLY),
    await chain.deploy(artifacts.token, SUPPLY),
  ];
  // Pools of version 3 have them in the order of their addresses.
  const isOrdered = BigInt(one.address) < BigInt(two.address);
  const [apple, pear] = isOrdered ? [one, two] : [two, one];
  const taxed = await chain.deploy(artifacts.taxed, SUPPLY);
  const minted = await chain.deploy(artifacts.minted, 'Minted', 'MNT');
  await chain.run(minted, 'mint', chain.from, SUPPLY);
  const deposit = dataOf(wrapped, 'deposit');
  await chain.send({ to: wrapped.address, value: numberToHex(500n * ETHER), data: deposit });
  return { wrapped, apple, pear, taxed, minted };
}

/** @typedef {Awaited<ReturnType<typeof placeTokens>>} Tokens */

/**
 * Opens pairs of version 2.
 *
 * @param {Builder} chain
 * @param {Artifacts} artifacts
 * @param {Tokens} tokens
 * @param {Random} random
 */
async function openExchange(chain, artifacts, { apple, pear, wrapped, taxed }, random) {
  const factory = await chain.deploy(artifacts.factory, chain.from);
  const router = await chain.deploy(artifacts.router, factory.address, wrapped.address);
  for (const token of [apple, pear, taxed, wrapped])
    await chain.run(token, 'approve', router.address, SUPPLY);
  for (const [one, two] of /** @type {const} */ ([
    [apple, pear],
    [pear, wrapped],
    [taxed, apple],
  ])) {
    const amounts = [BigInt(50 + random.below(50)) * ETHER, BigInt(50 + random.below(50)) * ETHER];
    const sides = [one.address, two.address, ...amounts, 0n, 0n, chain.from, DEADLINE];
    await chain.run(router, 'addLiquidity', ...sides);
  }
  for (let count = 0; count < 5; count += 1) {
    const path = [apple.address, pear.address, wrapped.address].slice(0, 2 + random.below(2));
    const amount = BigInt(1 + random.below(10 ** 9)) * 10n ** 9n;
    await chain.run(router, 'swapExactTokensForTokens', amount, 0n, path, chain.from, DEADLINE);
  }
  const pair = await chain.address(factory, 'getPair', apple.address, pear.address);
  return { factory, router, pair: { abi: artifacts.pair.abi, address: pair } };
}

/**
 * Opens a pool of version 3.
 *
 * @param {Builder} chain
 * @param {Artifacts} artifacts
 * @param {Tokens} tokens
 * @param {Random} random
 */
async function openPools(chain, artifacts, { apple, pear, wrapped }, random) {
  const pools = await chain.deploy(artifacts.pools);
  const none = '0x0000000000000000000000000000000000000000';
  const positions = await chain.deploy(artifacts.positions, pools.address, wrapped.address, none);
  const swaps = await chain.deploy(artifacts.swaps, pools.address, wrapped.address);
  const quoter = await chain.deploy(artifacts.quoter, pools.address, wrapped.address);
  for (const { address } of [positions, swaps]) {
    for (const token of [apple, pear]) await chain.run(token, 'approve', address, SUPPLY);
  }
  const sides = [apple.address, pear.address, POOL_FEE];
  await chain.run(positions, 'createAndInitializePoolIfNecessary', ...sides, EVEN_PRICE);
  for (const tick of [600, 1_200, 6_000]) {
    const amount = BigInt(100 + random.below(900)) * ETHER;
    await chain.run(positions, 'mint', {
      ...{ token0: apple.address, token1: pear.address, fee: POOL_FEE, tickLower: -tick, tickUpper: tick },
      ...{ amount0Desired: amount, amount1Desired: amount, amount0Min: 0n, amount1Min: 0n },
      ...{ recipient: chain.from, deadline: DEADLINE },
    });
  }
  const pool = await chain.address(pools, 'getPool', ...sides);
  return { pools, positions, swaps, quoter, pool: { abi: artifacts.pool.abi, address: pool } };
}

/** Places wrapped ether behind a proxy. @param {Builder} chain @param {Artifacts} artifacts */
async function placeProxy(chain, artifacts) {
  const first = await chain.deploy(artifacts.wrapped);
  const later = await chain.deploy(artifacts.token, 1n);
  const initial = dataOf(first, 'approve', WHALE, SUPPLY);
  const { address } = await chain.deploy(artifacts.proxy, first.address, chain.from, initial);
  const proxy = { abi: artifacts.wrapped.abi, address };
  // The proxy creates its administrator with its first nonce.
  const admin = { abi: artifacts.proxyAdmin.abi, address: getContractAddress({ from: address, nonce: 1n }) };
  await chain.send({ to: address, value: numberToHex(7n * ETHER), data: dataOf(proxy, 'deposit') });
  return { proxy, proxyAdmin: admin, implementations: [first.address, later.address] };
}

/** Pays token holders through Multicall3. @param {Builder} chain @param {Contract} token @param {Random} random */
async function payHolders(chain, token, random) {
  const holders = Array.from({ length: HOLDERS }, () => /** @type {Hex} */ (`0x${random.hex(20)}`));
  await chain.run(token, 'approve', chain.multicall, SUPPLY);
  for (let paid = 0; paid < HOLDERS; paid += PAID_AT_ONCE) {
    const calls = holders.slice(paid, paid + PAID_AT_ONCE).map((holder) => ({
      target: token.address,
      allowFailure: false,
      callData: dataOf(
        token,
        'transferFrom',
        chain.from,
        holder,
        BigInt(1 + random.below(2 ** 31)) * 10n ** 9n,
      ),
    }));
    await chain.send({ to: chain.multicall, data: aggregate(calls) });
  }
  return holders;
}

/**
 * Creates an account of ERC-4337 by its first operation.
 *
 * @param {Builder} chain
 * @param {Artifacts} artifacts
 * @param {Contract} token
 */
async function placeAccount(chain, artifacts, token) {
  const entryPoint = { abi: artifacts.entryPoint.abi, address: known('EntryPoint-0.8') };
  const factory = await chain.deploy(artifacts.accounts, entryPoint.address);
  const owner = privateKeyToAccount(OWNER_KEY);
  const address = await chain.address(factory, 'getAddress', owner.address, 0n);
  const account = { abi: artifacts.account.abi, address };
  await chain.send({
    ...{ to: entryPoint.address, value: numberToHex(5n * ETHER) },
    data: dataOf(entryPoint, 'depositTo', address),
  });
  await chain.run(token, 'transfer', address, 100n * ETHER);
  const pay = dataOf(token, 'transfer', chain.from, ETHER);
  const callData = dataOf(account, 'execute', token.address, 0n, pay);
  /** @param {object} fields @param {Hex} [key] */
  const sign = (fields, key = OWNER_KEY) =>
    signedOperation(chain.node, entryPoint, { sender: address, callData, ...fields }, key);
  const create = dataOf(factory, 'createAccount', owner.address, 0n);
  const initCode = `${factory.address}${create.slice(2)}`;
  await chain.run(entryPoint, 'handleOps', [await sign({ nonce: 0n, initCode })], chain.from);
  const operations = {
    next: await sign({ nonce: 1n }),
    stranger: await sign({ nonce: 1n }, `0x${'11'.repeat(32)}`),
  };
  return { entryPoint, account, operations };
}

/**
 * Encodes a call of Multicall3.
 *
 * @param {readonly { target: Hex, allowFailure: boolean, callData: Hex }[]} calls
 * @returns {Hex}
 */
export function aggregate(calls) {
  return encodeFunctionData({ abi: MULTICALL, functionName: 'aggregate3', args: [calls] });
}

const MULTICALL = [
  {
    ...{ type: 'function', name: 'aggregate3', stateMutability: 'payable' },
    inputs: [
      {
        ...{ name: 'calls', type: 'tuple[]' },
        components: [
          { name: 'target', type: 'address' },
          { name: 'allowFailure', type: 'bool' },
          { name: 'callData', type: 'bytes' },
        ],
      },
    ],
    outputs: [],
  },
];
