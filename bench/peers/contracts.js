/** The contracts that every peer gets. */

import { compile, shipped } from '../harness/contracts.js';

/** Bytes of the largest contract that is deployed. */
export const LARGE_BYTES = 20 * 1_024;

/** Creation code that is put before the code of a large contract: it copies what follows it, and returns that. */
const LARGE_PREFIX = '61500080600a3d393df3';

/**
 * Compiles `Work.sol` for the last fork that all peers know, and adds Uniswap v2 as its authors ship it.
 *
 * @returns {Record<string, import('../harness/contracts.js').Contract>} by name
 */
export function loadContracts() {
  return {
    ...compile(new URL('Work.sol', import.meta.url), 'shanghai'),
    Factory: shipped('@uniswap/v2-core/build/UniswapV2Factory.json'),
    Router: shipped('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
    WrappedCoin: shipped('@uniswap/v2-periphery/build/WETH9.json'),
    Large: { abi: [], bytecode: `0x${LARGE_PREFIX}${'5b'.repeat(LARGE_BYTES)}`, selectors: {} },
  };
}
