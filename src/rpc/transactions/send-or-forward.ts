import type { Caller } from '../context/caller.ts';
import type { ForwardedSend } from '../context/node-parts.ts';
import { ResponseBody } from '../json/response-body.ts';
import type { MethodContext } from '../method-context.ts';

/** A transaction to take here or to forward. */
export interface Sending<R> extends ForwardedSend {
  /** Checks the form of what is to be forwarded, as taking it here does. */
  check(): unknown;
  /** Takes it here. */
  submit(): R | Promise<R | ResponseBody<R>>;
}

/**
 * Takes a transaction here, or forwards it where this node only follows others.
 *
 * @returns the result, which is that of the other node where it was forwarded
 * @throws what `submit` throws; what `check` throws, ForwardedError, RequestFailedError and LimitError where it is
 *   forwarded
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
