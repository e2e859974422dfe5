import type { RemoteHistory, RemoteOtterscan } from '../../fork/index.ts';
import type { RemoteChain } from '../context/remote-chain.ts';
import type { MethodContext } from '../method-context.ts';

/** A call on a forked chain, with its parameters as the schemas of its method read them. */
export interface ForkedCall<A extends readonly unknown[] = readonly unknown[]> {
  readonly remote: RemoteChain;
  readonly context: MethodContext;
  /** The main name of the method. */
  readonly method: string;
  /** Returns the parameters in the form in which a remote node is sent them. */
  parameters(): readonly unknown[];
  /** Runs the method on this chain. */
  here(given: A): unknown;
}

/**
 * Runs a call on a forked chain: on the remote one for what concerns the history up to the fork, on this one, or on
 * both. Returns a result, or its promise, which rejects with an RpcError.
 */
export type ForkRule<A extends readonly unknown[]> = (this: void, forked: ForkedCall<A>, given: A) => unknown;

/**
 * The behaviour of a method before the block of a fork, a part of its definition. `local`: only this chain has something.
 * Rules about one block or transaction are in `history-rules.ts`, about ranges in `range-rules.ts`.
 */
export type BeforeFork<A extends readonly unknown[]> = 'local' | ForkRule<A>;

/** A read of the history of the remote chain. */
export type RemoteQuery<T = unknown> = (history: RemoteHistory, otterscan: RemoteOtterscan) => Promise<T>;

/** Returns what the remote chain has; undefined or null there: what this chain responds with. */
export async function orHere<A extends readonly unknown[]>(
  { remote, here }: ForkedCall<A>,
  given: A,
  query: RemoteQuery,
): Promise<unknown> {
  return (await remote.read(query)) ?? here(given);
}
