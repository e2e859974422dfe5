import type { Hardfork } from '../../evm/index.ts';

/** What a chain's genesis says about how its state is kept and executed on. */
export interface StateRules {
  readonly hardfork: Hardfork;
  /** Wei, which the EVM counts in, in a native unit: 1 where a unit is what clients take for a Wei. */
  readonly weiPerUnit: bigint;
  /** What code sees as the base fee of its block, in Wei. */
  readonly baseFee: bigint;
  /** Gas that code sees as that of its block. */
  readonly blockGasLimit: bigint;
  /**
   * Whether CREATE gives the address that follows from the creator and its nonce, as Ethereum does; otherwise it is
   * that of the next instance.
   */
  readonly hasStandardAddresses: boolean;
}
