import type { Hardfork } from '../../evm/index.ts';
import type { EthereumFeatures } from '../chain/ethereum-features.ts';
import type { ForkOrigin } from '../chain/fork-origin.ts';
import type { ForkBase } from './fork-base.ts';

/** A chain's rules of storing and executing its state, from its genesis. */
export interface StateRules extends EthereumFeatures {
  readonly hardfork: Hardfork;
  /** Wei in a native unit; 1 on chains without Ethereum, where clients take a unit for a wei. */
  readonly weiPerUnit: bigint;
  /** The gas limit of the block, as code sees it. */
  readonly blockGasLimit: bigint;
  /**
   * True if CREATE derives the address from creator and nonce, as Ethereum does; otherwise it is that of the next
   * instance.
   */
  readonly hasStandardAddresses: boolean;
  /** True on test chains with Ethereum: tests set the coinbase and the gas limit of blocks, and headers state them. */
  readonly headersStateSettings: boolean;
  /** The block of a remote chain whose number the genesis block has; absent: the genesis block is block 0. */
  readonly fork?: ForkOrigin | undefined;
  /** The state below the entries of the store, on a forked chain. */
  readonly base?: ForkBase | undefined;
}
