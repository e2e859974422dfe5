import type { IncludedOperation, Inclusion } from '../../ledger/index.ts';
import { SEND_WAIT_MS_DEFAULT, SEND_WAIT_MS_MAX } from '../../limits.ts';
import { type Hash, invariant } from '../../protocol/index.ts';
import { data } from '../../view/index.ts';
import { RequestFailedError, StillPendingError } from '../errors.ts';
import type { MethodContext } from '../method-context.ts';
import { boundedQuantity } from '../parameters/quantity.ts';
import { optional } from '../parameters/schema.ts';

/** The parameter that says how long a send waits. */
export const WAIT_PARAMETER = {
  name: 'timeout',
  schema: optional(boundedQuantity(SEND_WAIT_MS_MAX, 'milliseconds')),
  summary: `Milliseconds to wait for the block; ${SEND_WAIT_MS_DEFAULT} when absent.`,
} as const;

/**
 * Waits for the block of a transaction that was sent.
 *
 * @returns its first operation
 * @throws StillPendingError, and RequestFailedError when it is dropped or the node stops
 */
export async function inclusionOf(
  { ledger, inclusions }: MethodContext,
  hash: Hash,
  milliseconds: number | undefined,
): Promise<IncludedOperation> {
  const transaction = ledger.findTransaction(hash);
  invariant(transaction !== undefined, 'a transaction that was accepted is found');
  const wait = milliseconds ?? SEND_WAIT_MS_DEFAULT;
  const inclusion = await inclusions.wait(transaction, hash, wait);
  if (inclusion.kind !== 'included') throw failureOf(inclusion, hash, wait);
  return inclusion.operation;
}

function failureOf(inclusion: Exclude<Inclusion, { kind: 'included' }>, hash: Hash, wait: number): Error {
  switch (inclusion.kind) {
    case 'dropped':
      return new RequestFailedError(`the transaction was dropped: ${inclusion.error.message}`);
    case 'late':
      return new StillPendingError(
        `no block came within ${wait} ms: the transaction stays pending`,
        data(hash),
      );
    case 'closed':
      return new StillPendingError('the node stops: the transaction stays pending', data(hash));
  }
}
