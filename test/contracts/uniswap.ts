import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Abi, Hex } from 'viem';
import type { CompiledContract } from './compile.ts';

const require = createRequire(import.meta.url);
const TOOLS = fileURLToPath(new URL('../tools/', import.meta.url));

/**
 * The hash of the pair's creation code that the shipped router carries inside: it computes a pair's address
 * from the factory, the tokens and this hash instead of asking the factory.
 */
export const PAIR_CODE_HASH = '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f';

/** Uniswap v2 as its packages ship it, compiled by its authors: the sources need compilers of their time. */
export const uniswap = {
  factory: () => shipped('@uniswap/v2-core/build/UniswapV2Factory.json'),
  pair: () => shipped('@uniswap/v2-core/build/UniswapV2Pair.json'),
  router: () => shipped('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
  wrappedCoin: () => shipped('@uniswap/v2-periphery/build/WETH9.json'),
  /** Returns true if version 3, one of the tools, is installed. */
  hasV3: () => existsSync(`${TOOLS}node_modules/@uniswap/v3-periphery`),
  v3: () => ({
    factory: shippedV3('v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
    positions: shippedV3(
      'v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
    ),
    router: shippedV3('v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json'),
  }),
};

function shippedV3(path: string): CompiledContract {
  return shipped(`${TOOLS}node_modules/@uniswap/${path}`);
}

function shipped(path: string): CompiledContract {
  const artifact: { readonly abi: Abi; readonly bytecode: string } = JSON.parse(
    readFileSync(require.resolve(path), 'utf8'),
  );
  const bytecode: Hex = `0x${artifact.bytecode.replace(/^0x/, '')}`;
  return { abi: artifact.abi, bytecode };
}
