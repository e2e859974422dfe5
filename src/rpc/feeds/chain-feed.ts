import type { Ledger } from '../../ledger/index.ts';
import { Feed, type Revocation, type Topic } from './feed.ts';

/** The chain as a feed: its events are the blocks. Readers behind a fork move back to it. */
export class ChainFeed extends Feed {
  readonly #ledger: Ledger;
  /** Prepared for a reorganisation while the blocks exist: the last block that stays, and revocations of the others. */
  #prepared:
    | { last: number; byTopic: Map<Topic | undefined, readonly Revocation<Uint8Array>[] | undefined> }
    | undefined;

  constructor(ledger: Ledger) {
    super();
    this.#ledger = ledger;
  }

  end(): number {
    return this.#ledger.blocks.head().number + 1;
  }

  protected follow(): () => void {
    const stops = [
      this.#ledger.chain.onBlock(() => this.wake()),
      this.#ledger.chain.onReverting((last) => this.#prepare(last)),
      this.#ledger.history.onForgotten(() => this.#rewind()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  #prepare(last: number): void {
    const head = this.#ledger.blocks.head().number;
    const topics = [...this.topics.values()];
    const byTopic = new Map(topics.map((topic) => [topic, topic.revocationsOf(last + 1, head)]));
    this.#prepared = { last, byTopic };
  }

  #rewind(): void {
    const head = this.#ledger.blocks.head().number;
    const prepared = this.#prepared;
    this.#prepared = undefined;
    // What was prepared for a reorganisation that failed is of no use.
    const isPrepared = prepared !== undefined && prepared.last <= head;
    const { last, byTopic } = isPrepared ? prepared : { last: head, byTopic: new Map() };
    for (const reader of this.readers) {
      const topic = reader.subscribed?.topic;
      reader.rewind(last + 1, byTopic.has(topic) ? byTopic.get(topic) : []);
    }
    this.wake();
  }
}
