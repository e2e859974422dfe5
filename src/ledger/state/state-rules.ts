import type { Hardfork } from '../../evm/index.ts';

/** A chain's rules of storing and executing its state, from its genesis. */
export interface StateRules {
  readonly hardfork: Hardfork;
  /** Wei, which the EVM counts in, in a native unit: 1 where a unit is what clients take for a Wei. */
  readonly weiPerUnit: bigint;
  /** The base fee that code sees, in wei. */
  readonly baseFee: bigint;
  /** Gas that code sees as that of its block. */
  readonly blockGasLimit: bigint;
  /**
   * True if CREATE derives the address from creator and nonce, as Ethereum does; otherwise it is that of the next
   * instance.
   */
  readonly hasStandardAddresses: boolean;
}
