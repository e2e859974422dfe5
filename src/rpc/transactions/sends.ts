import type { IncludedOperation, Inclusion } from '../../ledger/index.ts';
import { SEND_WAIT_MS_DEFAULT, SEND_WAIT_MS_MAX } from '../../limits.ts';
import { type Hash, invariant } from '../../protocol/index.ts';
import { data } from '../../view/index.ts';
import type { Caller } from '../context/caller.ts';
import type { ForwardedSend } from '../context/node-parts.ts';
import { RequestFailedError, StillPendingError } from '../errors.ts';
import { ResponseBody } from '../json/response-body.ts';
import type { MethodContext } from '../method-context.ts';
import { boundedQuantity } from '../parameters/quantity.ts';
import { optional } from '../parameters/schema.ts';

/** The parameter for the wait of a send. */
export const WAIT_PARAMETER = {
  name: 'timeout',
  schema: optional(boundedQuantity(SEND_WAIT_MS_MAX, 'milliseconds')),
  summary: `Milliseconds to wait for the block; ${SEND_WAIT_MS_DEFAULT} when absent.`,
} as const;

/**
 * Waits for the block of a transaction that was sent, and returns its first operation.
 *
 * @throws StillPendingError, and RequestFailedError for a dropped one
 */
export async function inclusionOf(
  { ledger, inclusions }: MethodContext,
  hash: Hash,
  milliseconds: number | undefined,
): Promise<IncludedOperation> {
  const transaction = ledger.pool.findTransaction(hash);
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

/** A transaction to submit here or to forward. */
interface Sending<R> extends ForwardedSend {
  /** Checks its form before it is forwarded, as `submit` does. */
  check(): unknown;
  submit(): R | Promise<R | ResponseBody<R>>;
}

/**
 * Submits a transaction here, or forwards it where this node only follows others, whose result it then returns.
 *
 * @throws as `submit`; if forwarded as `check`, and ForwardedError, RequestFailedError, LimitError
 */
export function sendOrForward<R>(
  { forwarder }: Pick<MethodContext, 'forwarder'>,
  caller: Caller,
  { check, submit, ...send }: Sending<R>,
): R | Promise<R | ResponseBody<R>> {
  if (forwarder === undefined) return submit();
  check();
  return forwarder
    .forward(send, caller.hops ?? 0)
    .then((result) => new ResponseBody<R>(JSON.stringify(result)));
}
