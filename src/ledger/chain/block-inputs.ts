import type { AccountId, Hash } from '../../protocol/index.ts';
import type { BlockPrices } from './block-fees.ts';
import type { BlockSettings } from './block-settings.ts';

/** The parts of a header that are known before execution: all that transactions can see of their block. */
export interface BlockInputs {
  readonly number: number;
  /** Number of skipped producers. */
  readonly attempt: number;
  readonly timestamp: number;
  readonly account: AccountId;
  readonly rand: Hash;
  readonly prices: BlockPrices;
  /** Those that the header states; undefined: the producer, and the gas limit of the genesis. */
  readonly settings: BlockSettings | undefined;
}
