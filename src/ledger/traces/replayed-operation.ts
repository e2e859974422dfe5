import type { Address, Operation } from '../../protocol/index.ts';
import type { OperationReceipt } from '../chain/records.ts';

/** An operation of a block that runs again. */
export interface ReplayedOperation {
  /** Its index in the block. */
  readonly index: number;
  readonly operation: Operation;
  /** Its receiver; undefined where there is none. */
  readonly to: Address | undefined;
  /** What came of it in its block; undefined where it is in none. */
  readonly receipt: OperationReceipt | undefined;
}
