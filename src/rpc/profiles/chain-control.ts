import type { BlockSummary, IncludedOperation, Ledger } from '../../ledger/index.ts';
import type { Address } from '../../protocol/index.ts';
import type { Hexadecimal, Shape } from '../../view/index.ts';
import type { QueryContext, TestChainContext } from '../method-context.ts';
import type { Place, Placed, Schema } from '../parameters/schema.ts';

/** The outcome of a transaction: its revert data, and the reason in it. */
export interface OutcomeDetail {
  readonly output: Uint8Array;
  readonly revertReason: string | null;
}

/** Parameters and results of methods that control a test chain, by profile. */
export interface ChainControlStyle {
  /** Number of the snapshot whose id is 0; the chain itself counts from 1. */
  readonly firstSnapshot: number;
  /** The result of `evm_mine`. */
  readonly mined: '0x0' | null;
  /** True if the interval of `anvil_mine` comes before the first block as well. */
  readonly leads: boolean;
  /** Seconds in results. */
  readonly secondsShape: Shape<Hexadecimal | number>;
  seconds(seconds: number): Hexadecimal | number;
  /** The object of a block with the outcomes of its transactions. */
  readonly detailedBlockShape: Shape<object>;
  detailedBlock(
    context: QueryContext,
    block: BlockSummary,
    detailOf: (operation: IncludedOperation) => OutcomeDetail,
  ): object;
  /** An amount in the unit of the profile. */
  readonly amount: Schema<bigint>;
  /** Returns an amount in wei. */
  inWei(ledger: Ledger, amount: bigint): bigint;
  /**
   * Returns the wei that an address gets of so many: no more than an account can hold.
   *
   * @throws InvalidParametersError on `/` for more
   */
  holdable(context: TestChainContext, address: Address, wei: bigint, place: Place): bigint;
  /** Checks a price of gas, which is fixed. @throws InvalidParametersError on `/`, else RequestFailedError */
  requirePrice(ledger: Ledger, price: Placed<bigint>): void;
  /** Checks a base fee; throws as `requirePrice`. */
  requireBaseFee(ledger: Ledger, fee: Placed<bigint>): void;
  /** Returns true if the transaction count of an address is that of its operations, and not its nonce. */
  countsOperations(ledger: Ledger, address: Address): boolean;
  /** Checks an address that may have sent something. @throws RefusedError on `/` for the EVM address of an account */
  requireSender(ledger: Ledger, address: Address): void;
}
