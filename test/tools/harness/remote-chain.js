/** A remote chain for forks: anvil with contracts as their authors ship them, holders, and some history. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { encodeDeployData, encodeFunctionData } from 'viem';
import { accountOf } from './accounts.js';
import { same } from './checks.js';
import { contracts } from './contracts.js';
import { startAnvil } from './targets.js';

const require = createRequire(import.meta.url);
const V5 = '@openzeppelin/upgrades-core/artifacts/@openzeppelin/contracts-v5';
/** Packages of Uniswap v2 are those of the tests of ledgerd itself. */
const SHIPPED = {
  factory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  pair: '@uniswap/v2-core/build/UniswapV2Pair.json',
  proxy: `${V5}/proxy/ERC1967/ERC1967Proxy.sol/ERC1967Proxy.json`,
  router: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
  token: '@uniswap/v2-core/build/ERC20.json',
  weth: '@uniswap/v2-periphery/build/WETH9.json',
};
/** Multicall3 as on most chains: its name, address, hash and code. */
const MULTICALL = /^Multicall3 (\S+) \S+ (\S+)$/m;

/** A chain id without a meaning to any tool. */
const REMOTE_CHAIN_ID = 7_654_321;
const SUPPLY = 10n ** 24n;
const LIQUIDITY = 10n ** 22n;
/** The tokens and the ether of the address without a key. */
export const WHALE_TOKENS = 10n ** 21n;
export const WHALE_WEI = 10n ** 19n;
const HOLDERS = 20;
export const DEADLINE = 4_000_000_000n;

/** An address without a key. */
export const WHALE = '0x00000000000000000000000000000000deadbee1';
/** The slot of a proxy's implementation (EIP-1967). */
export const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

/** @typedef {{ abi: any[], address: `0x${string}` }} Placed */

/**
 * @typedef {object} World the contents of the remote chain
 * @property {Placed} apple an ERC-20 token
 * @property {Placed} pear another
 * @property {Placed} weth
 * @property {Placed} factory
 * @property {Placed} router
 * @property {Placed} pair of both tokens
 * @property {Placed} box the proxy of a contract with the value 7
 * @property {Placed} implementation behind it
 * @property {`0x${string}`} multicall
 * @property {readonly `0x${string}`[]} holders of `apple`: the first has 1 wei of it, each further one 1 wei more
 * @property {readonly `0x${string}`[]} hashes of its transactions
 * @property {number} beforeWhale the last block before the whale has tokens
 * @property {number} number of the newest block
 */

/**
 * Starts the remote chain.
 *
 * @returns {Promise<{ target: import('./targets.js').Target, world: World }>}
 */
export async function startRemoteChain() {
  const target = await startAnvil(['--chain-id', String(REMOTE_CHAIN_ID)]);
  try {
    return { target, world: await buildWorld(target.endpoint) };
  } catch (error) {
    await target.stop();
    throw error;
  }
}

/**
 * @param {import('./endpoint.js').Endpoint} endpoint
 * @returns {Promise<World>}
 */
async function buildWorld(endpoint) {
  const from = accountOf('others').address;
  /** @type {`0x${string}`[]} */
  const hashes = [];
  const send = async (/** @type {object} */ fields) => {
    const hash = await endpoint.call('eth_sendTransaction', { from, gas: '0x5b8d80', ...fields });
    hashes.push(hash);
    const receipt = await endpoint.receipt(hash);
    same(receipt.status, '0x1', `status of a transaction of the remote chain, ${JSON.stringify(fields)}`);
    return receipt;
  };
  const deploy = async (/** @type {import('./contracts.js').Contract} */ { abi, bytecode }, ...args) => {
    const { contractAddress } = await send({ data: encodeDeployData({ abi, bytecode, args }) });
    return { abi, address: contractAddress };
  };
  const write = (/** @type {Placed} */ { abi, address }, /** @type {string} */ functionName, ...args) =>
    send({ to: address, data: encodeFunctionData({ abi, functionName, args }) });

  const multicall = await placeMulticall(endpoint);
  const weth = await deploy(shipped('weth'));
  const factory = await deploy(shipped('factory'), from);
  const router = await deploy(shipped('router'), factory.address, weth.address);
  const apple = await deploy(shipped('token'), SUPPLY);
  const pear = await deploy(shipped('token'), SUPPLY);
  for (const token of [apple, pear]) await write(token, 'approve', router.address, SUPPLY);
  const amounts = [LIQUIDITY, 4n * LIQUIDITY, 0n, 0n];
  await write(router, 'addLiquidity', apple.address, pear.address, ...amounts, from, DEADLINE);
  const created = await endpoint.call('eth_call', {
    to: factory.address,
    data: encodeFunctionData({
      abi: factory.abi,
      functionName: 'getPair',
      args: [apple.address, pear.address],
    }),
  });
  const { Box } = contracts();
  const implementation = await deploy(Box);
  const initialize = encodeFunctionData({ abi: Box.abi, functionName: 'initialize', args: [7n] });
  const { address } = await deploy(shipped('proxy'), implementation.address, initialize);
  const beforeWhale = Number(await endpoint.call('eth_blockNumber'));
  await write(apple, 'transfer', WHALE, WHALE_TOKENS);
  await send({ to: WHALE, value: `0x${WHALE_WEI.toString(16)}` });
  const holders = Array.from({ length: HOLDERS }, (_, index) => holderAt(index));
  for (const [index, holder] of holders.entries()) await write(apple, 'transfer', holder, BigInt(index + 1));
  return {
    ...{ apple, pear, weth, factory, router, implementation, multicall, holders, hashes, beforeWhale },
    pair: { abi: shipped('pair').abi, address: `0x${created.slice(-40)}` },
    box: { abi: Box.abi, address },
    number: Number(await endpoint.call('eth_blockNumber')),
  };
}

/**
 * @param {number} index
 * @returns {`0x${string}`}
 */
function holderAt(index) {
  return `0x${(0xbeef00 + index).toString(16).padStart(40, '0')}`;
}

/**
 * @param {keyof typeof SHIPPED} name
 * @returns {import('./contracts.js').Contract}
 */
function shipped(name) {
  const { abi, bytecode } = JSON.parse(readFileSync(require.resolve(SHIPPED[name]), 'utf8'));
  return { abi, bytecode: `0x${bytecode.replace(/^0x/, '')}` };
}

/** @param {import('./endpoint.js').Endpoint} endpoint */
async function placeMulticall(endpoint) {
  const known = readFileSync(new URL('../../../data/preinstalls.txt', import.meta.url), 'utf8');
  const [, address = '', code = ''] = MULTICALL.exec(known) ?? [];
  await endpoint.call('anvil_setCode', address, code);
  return /** @type {`0x${string}`} */ (address);
}
