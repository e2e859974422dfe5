import type { RemoteChain } from '../context/node-dependencies.ts';
import type { Call } from '../envelope/envelope.ts';
import { ResponseBody } from '../json/response-body.ts';
import type { MethodContext } from '../method-context.ts';

/** A call on a forked chain. */
export interface ForkedCall extends Pick<Call, 'method'> {
  readonly remote: RemoteChain;
  readonly ledger: MethodContext['ledger'];
  readonly parameters: readonly unknown[];
  /** Runs the call on this chain. */
  readonly invoke: (parameters: readonly unknown[]) => unknown;
}

/** Joins two lists, of which each may be written as a text. */
export function joined(before: unknown, after: unknown): ResponseBody {
  const items = [before, after].map((list) => textOf(list).slice(1, -1)).filter((text) => text !== '');
  return new ResponseBody(`[${items.join(',')}]`);
}

/** Returns the JSON of a result, which may be written as a text. */
export function textOf(value: unknown): string {
  return value instanceof ResponseBody ? value.text : JSON.stringify(value);
}
