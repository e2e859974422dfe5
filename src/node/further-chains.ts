import { LedgerdError } from '../protocol/index.ts';
import { LimitError, RequestFailedError, type RpcError } from '../rpc/index.ts';
import type { ChainSource, ServedChain } from '../server/index.ts';
import { Closers } from './closers.ts';
import type { NodeEvents } from './events.ts';

/** An open chain. */
interface FurtherChain {
  readonly served: ServedChain;
  /** Ends requests that wait for blocks. */
  endWaits(): void;
}

/** Further test chains of a node, each created by its first call, and independent of the others. */
export class FurtherChains implements ChainSource {
  readonly #most: number;
  readonly #open: (number: number, closers: Closers) => Promise<FurtherChain>;
  readonly #onFailure: (task: string, error: unknown) => void;
  readonly #closers = new Map<number, Closers>();
  readonly #opening = new Set<Promise<FurtherChain>>();
  readonly #opened = new Set<FurtherChain>();
  #isClosed = false;

  /**
   * @param most number of chains
   * @param open opens a chain, and adds what it opens to the closers
   * @param onFailure called with each error of it
   */
  constructor(
    most: number,
    open: (number: number, closers: Closers) => Promise<FurtherChain>,
    onFailure: (task: string, error: unknown) => void,
  ) {
    this.#most = most;
    this.#open = open;
    this.#onFailure = onFailure;
  }

  refusal(number: number): RpcError | undefined {
    if (this.#isClosed) return new RequestFailedError('the node stops, and creates no chain');
    if (this.#closers.size < this.#most) return undefined;
    return new LimitError(
      this.#most === 0
        ? `chain ${number} is not created: --chains 0 allows no further chains`
        : `chain ${number} is not created: the node has ${this.#most} further chains, the most that --chains allows: ` +
            'use their numbers, or start the node with a higher --chains',
    );
  }

  async create(number: number): Promise<ServedChain> {
    const refusal = this.refusal(number);
    if (refusal !== undefined) throw refusal;
    const closers = new Closers();
    this.#closers.set(number, closers);
    const opening = this.#open(number, closers);
    this.#opening.add(opening);
    try {
      const chain = await opening;
      this.#opened.add(chain);
      return chain.served;
    } catch (error) {
      this.#closers.delete(number);
      await closers.close();
      this.#onFailure(`the creation of chain ${number}`, error);
      const reason = error instanceof LedgerdError ? error.message : 'internal error';
      throw new RequestFailedError(`chain ${number} cannot be created: ${reason}`, { cause: error });
    } finally {
      this.#opening.delete(opening);
    }
  }

  /** Ends requests that wait for blocks, and the creation of chains: before the server stops. */
  endWaits(): void {
    this.#isClosed = true;
    for (const chain of this.#opened) chain.endWaits();
  }

  /** Closes all chains. Throws the first error at the end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#opening);
    const closed = await Promise.allSettled([...this.#closers.values()].map((closers) => closers.close()));
    const failure = closed.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }
}

/** Returns the events of a further chain: those of its node without blocks, and with its number in their texts. */
export function eventsOfChain(number: number, events: NodeEvents): NodeEvents {
  const { onConsole } = events;
  return {
    ...events,
    onBlock: () => undefined,
    onDropped: () => undefined,
    onFailedCall: (method, message) => events.onFailedCall?.(method, `chain ${number}: ${message}`),
    onInternalFailure: (task, error) => events.onInternalFailure?.(`chain ${number}: ${task}`, error),
    ...(onConsole && {
      onConsole: (lines: readonly string[]) =>
        onConsole.call(
          events,
          lines.map((line) => `chain ${number}: ${line}`),
        ),
    }),
  };
}
