import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Abi, Hex } from 'viem';
import type { CompiledContract } from './compile.ts';

const require = createRequire(import.meta.url);

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
};

function shipped(path: string): CompiledContract {
  const artifact: { readonly abi: Abi; readonly bytecode: string } = JSON.parse(
    readFileSync(require.resolve(path), 'utf8'),
  );
  const bytecode: Hex = `0x${artifact.bytecode.replace(/^0x/, '')}`;
  return { abi: artifact.abi, bytecode };
}
