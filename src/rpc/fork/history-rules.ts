import type { RemoteHistory, RemoteOtterscan, ResultForm } from '../../fork/index.ts';
import { equalBytes, type Hash, quantity } from '../../protocol/index.ts';
import { blockByHash, numberOfSelector } from '../blocks/find-block.ts';
import type { BlockReference } from '../parameters/block.ts';
import { RequestFailedError } from '../rpc-errors.ts';
import { type ForkedCall, type ForkRule, orHere, type RemoteQuery } from './fork-rule.ts';

/** The name of a block of the remote chain. */
export type RemoteBlock = number | Hash;

/** Reads the history about a block; null or undefined for a hash that names none. */
type BlockQuery<A extends readonly unknown[]> = (
  history: RemoteHistory,
  block: RemoteBlock,
  given: A,
  otterscan: RemoteOtterscan,
) => Promise<unknown>;

/** Returns the block of the history that a reference names; undefined for one of this chain, and for none. */
export function remoteBlock(
  { remote, context: { ledger } }: Pick<ForkedCall, 'remote' | 'context'>,
  reference: BlockReference | Hash,
): RemoteBlock | undefined {
  if (typeof reference === 'object') {
    const hash = reference instanceof Uint8Array ? reference : reference.hash;
    if (equalBytes(hash, remote.hash)) return remote.number;
    return blockByHash(ledger, hash) === undefined ? hash : undefined;
  }
  const number = numberOfSelector(ledger, reference);
  return number !== undefined && number <= remote.number ? number : undefined;
}

/**
 * Returns the rule of a method about a block. The remote chain has those up to the fork, which is the newest one until
 * there is a block of this chain.
 * @param query absent: the remote node runs the method, its result has any form
 */
export function ofBlock<A extends readonly unknown[]>(position: number, query?: BlockQuery<A>): ForkRule<A> {
  return (forked, given) => {
    const block = remoteBlock(forked, given[position] as BlockReference | Hash); // the parameter of the rule is one
    if (block === undefined) return forked.here(given);
    const read: RemoteQuery =
      query === undefined
        ? forwarding(forked, given, [position], 'anything')
        : (history, otterscan) => query(history, block, given, otterscan);
    return typeof block === 'number' ? forked.remote.read(read) : orHere(forked, given, read);
  };
}

/** Reads a state of the history; or the form of the result, if the remote node runs the method. */
type StateQuery =
  | ResultForm
  | ((
      history: RemoteHistory,
      parameters: readonly unknown[],
      otterscan: RemoteOtterscan,
    ) => Promise<unknown>);

/** Returns the rule of a method about the state after a block: the remote chain has those before the fork. */
export function ofState(position: number, query: StateQuery): ForkRule<readonly unknown[]> {
  return (forked, given) => {
    const { remote, here } = forked;
    const reference = (given[position] ?? 'latest') as BlockReference; // the parameter of the rule is one
    if (reference === 'latest' || reference === 'pending') return here(given);
    const block = remoteBlock(forked, reference);
    if (block === undefined) return here(given);
    if (block === remote.number) return here(given.with(position, BigInt(block)));
    return orHere(forked, given, forwarding(forked, given, [position], query));
  };
}

/**
 * Prepares a read of what parameters name by blocks of the remote chain, which it is sent by number, or by the hash
 * that was given. The read returns undefined for a hash that names none.
 */
function forwarding(
  forked: Pick<ForkedCall, 'remote' | 'context' | 'method' | 'parameters'>,
  given: readonly unknown[],
  positions: readonly number[],
  query: StateQuery,
): RemoteQuery {
  const parameters = [...forked.parameters()];
  const hashes: Hash[] = [];
  for (const position of positions) {
    const reference = given[position] as BlockReference | Hash | undefined; // the parameters of the rule are such
    const block = reference === undefined ? undefined : remoteBlock(forked, reference);
    if (typeof block === 'object') hashes.push(block);
    else if (block !== undefined && typeof reference !== 'object') parameters[position] = quantity(block);
  }
  return async (history, otterscan) => {
    for (const hash of hashes) if ((await history.block(hash, false)) === null) return undefined;
    return typeof query === 'string'
      ? history.forward(forked.method, parameters, query)
      : query(history, parameters, otterscan);
  };
}

/** The blocks of a comparison; without the later one, the first is compared with the one before it. */
type Compared = readonly [first: BlockReference, last: BlockReference | undefined];

/** The rule of a method that compares the states after two blocks, which must be on one side of the fork. */
export function comparedOnFork(forked: ForkedCall<Compared>, given: Compared): unknown {
  const { remote, here } = forked;
  const [first, last] = given;
  const start = remoteBlock(forked, first);
  const end = last === undefined ? start : remoteBlock(forked, last);
  if (start === undefined) return here(given);
  if (end !== undefined) return orHere(forked, given, forwarding(forked, given, [0, 1], 'list'));
  if (start === remote.number) return here([BigInt(start), last]);
  throw new RequestFailedError(
    `the blocks are on both sides of the fork, block ${remote.number}: compare each of them with that block`,
  );
}

/** Reads the history about a transaction; undefined for one that it does not have. */
type TransactionQuery = (history: RemoteHistory, hash: Hash, otterscan: RemoteOtterscan) => Promise<unknown>;

/**
 * Returns the rule of a method about the transaction of its first parameter: the remote chain has what this one does
 * not know.
 * @param query absent: the remote node runs the method
 */
export function ofTransaction(query?: TransactionQuery): ForkRule<readonly unknown[]> {
  return (forked, given) => {
    const hash = given[0] as Hash; // the parameter of the rule is one
    if (forked.context.ledger.pool.findOperation(hash) !== undefined) return forked.here(given);
    return forked.remote
      .read(async (history, otterscan) => {
        if (query !== undefined) return query(history, hash, otterscan);
        if ((await history.transaction(hash)) === null) return undefined;
        return history.forward(forked.method, forked.parameters(), 'anything');
      })
      .then((result) => (result === undefined ? forked.here(given) : result));
  };
}

/** Returns the rule of a method for which the remote chain has what this one does not find. */
export function ofEither<A extends readonly unknown[]>(
  query: (history: RemoteHistory, given: A, otterscan: RemoteOtterscan) => Promise<unknown>,
): ForkRule<A> {
  return (forked, given) => {
    try {
      const result = forked.here(given);
      if (result !== null) return result;
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error;
    }
    return orHere(forked, given, (history, otterscan) => query(history, given, otterscan));
  };
}

/** The state on which a simulation runs. */
interface NamedState {
  readonly reference: BlockReference;
  /** True if it is within the block of the reference, not after it. */
  readonly isWithin: boolean;
}

/**
 * Returns the rule of a method about a state that a member of a parameter names: the remote chain has those before the
 * fork, and those within the block of the fork.
 * @param at returns the parameters with another reference
 */
export function ofNamedState<A extends readonly unknown[]>(
  form: ResultForm,
  stateOf: (given: A) => NamedState,
  at: (given: A, reference: BlockReference) => A,
): ForkRule<A> {
  return (forked, given) => {
    const { remote, here, method } = forked;
    const { reference, isWithin } = stateOf(given);
    if (reference === 'latest' || reference === 'pending') return here(given);
    const block = remoteBlock(forked, reference);
    if (block === undefined) return here(given);
    if (block === remote.number && !isWithin) return here(at(given, BigInt(block)));
    return orHere(forked, given, async (history) => {
      if (typeof block === 'object' && (await history.block(block, false)) === null) return undefined;
      return history.forward(method, forked.parameters(), form);
    });
  };
}
