import { randomBytes } from 'node:crypto';
import type { Ledger } from '../../ledger/index.ts';
import {
  CONNECTION_SUBSCRIPTIONS_MAX,
  FILTER_CRITERIA_MAX,
  LONG_ANSWER_CHARACTERS,
  SUBSCRIPTIONS_MAX,
} from '../../limits.ts';
import { invariant } from '../../protocol/index.ts';
import { mayHaveMore } from '../../scheduling/index.ts';
import type { Time } from '../../time.ts';
import type { NodeStatus } from '../context/node-status.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { Message, Subscriber } from '../context/subscriber.ts';
import { failureOf } from '../envelope/failure.ts';
import { LimitError } from '../errors.ts';
import { AcceptedFeed } from './accepted-feed.ts';
import { BlockFeed, type BlockTelling, BlockTexts } from './block-feed.ts';
import { type Feed, MissedError, type Reader } from './feed.ts';
import type { SubscriptionKind } from './subscription-kind.ts';
import type { SubscriptionView } from './subscription-view.ts';
import { SyncFeed } from './sync-feed.ts';
import { headTelling, logTelling, receiptTelling } from './tellings.ts';

/** Milliseconds that subscribers are told something before everything else gets its turn. */
const NOTIFY_SLICE_MS = 5;
/** Bytes from which on what a subscriber is told is sent, rather than gathered (64 KiB). */
const NOTIFY_TOGETHER_BYTES = 64 * 1024;

/** Bytes of an id, all of which are chance. */
const ID_BYTES = 16;
/** What a notification ends with. */
const END = Buffer.from('}}');

/** What a client has of what all share. */
interface Held {
  subscriptions: number;
  criteria: number;
}

/** Who is subscribed to the same, and what tells them. */
interface Topic {
  readonly name: string;
  readonly feed: Feed;
  readonly all: Set<Subscription>;
}

interface Subscription {
  readonly id: string;
  /** What its notifications begin with. */
  readonly begin: Uint8Array;
  readonly subscriber: Subscriber;
  readonly topic: Topic;
  readonly reader: Reader;
  readonly criteria: number;
  /** Whether its client knows its id, so that it may be told something. */
  isBegun: boolean;
}

/** What subscribers are told of, and the time that it goes by. */
export interface SubscriptionsOptions {
  readonly ledger: Ledger;
  readonly nodeStatus: NodeStatus;
  readonly time: Time;
  /** Told when telling fails for a reason of the node's own. */
  onFailure?: ((task: string, error: unknown) => void) | undefined;
}

/**
 * The subscriptions of a node (docs/interface.md#subscriptions). Each is a place in what its feed tells, so that
 * nothing is kept for who is slow; what is told is made into text once for all who are told it.
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #all = new Map<string, Subscription>();
  readonly #topics = new Map<string, Topic>();
  readonly #ofSubscriber = new Map<Subscriber, Set<Subscription>>();
  readonly #held = new Map<string, Held>();
  readonly #texts = new BlockTexts();
  /** Those that may have something to tell. */
  readonly #ready = new Set<Subscription>();
  #criteria = 0;
  /** Feeds that there ever were. */
  #feeds = 0;
  #isWoken = false;
  #isListening = false;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /** Begins to mind the ledger, with the first subscription. */
  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    const { ledger } = this.#options;
    ledger.onBlock(() => this.#wakeAll((feed) => !(feed instanceof AcceptedFeed)));
    ledger.onAccepted(() => this.#wakeAll((feed) => feed instanceof AcceptedFeed));
    ledger.onReverting((last) => this.#eachBlockFeed((feed) => feed.prepare(last)));
    ledger.onForgotten(() => {
      this.#texts.forget();
      this.#eachBlockFeed((feed) => feed.forget());
      this.#wakeAll((feed) => feed instanceof BlockFeed);
    });
  }

  /** How many there are. */
  get size(): number {
    return this.#all.size;
  }

  /**
   * Adds a subscription, which begins when `answered` has seen its id in an answer.
   *
   * @returns its id
   * @throws LimitError
   */
  add(subscriber: Subscriber, kind: SubscriptionKind, profile: ProfileId, view: SubscriptionView): string {
    const criteria = criteriaOf(kind);
    const held = this.#mayAdd(subscriber, criteria);
    this.#listen();
    const topic = this.#topic(kind, profile, view);
    const id = `0x${randomBytes(ID_BYTES).toString('hex')}`;
    const subscription: Subscription = {
      id,
      begin: beginning(id),
      subscriber,
      topic,
      reader: topic.feed.open(),
      criteria,
      isBegun: false,
    };
    topic.all.add(subscription);
    held.subscriptions += 1;
    held.criteria += criteria;
    this.#held.set(subscriber.client, held);
    this.#criteria += criteria;
    this.#all.set(subscription.id, subscription);
    const own = this.#ofSubscriber.get(subscriber) ?? new Set();
    this.#ofSubscriber.set(subscriber, own.add(subscription));
    return subscription.id;
  }

  /** Ends a subscription; false where the subscriber has none with this id. */
  remove(subscriber: Subscriber, id: string): boolean {
    const subscription = this.#all.get(id);
    if (subscription?.subscriber !== subscriber) return false;
    this.#remove(subscription);
    return true;
  }

  /** Ends all of a subscriber who is gone. */
  removeAll(subscriber: Subscriber): void {
    for (const subscription of this.#ofSubscriber.get(subscriber) ?? []) this.#remove(subscription);
  }

  /**
   * An answer is on its way to a subscriber: what it says the id of begins behind it. A long one, which takes long to
   * search, is that of a batch, and nothing but a batch leaves a subscription without its answer for a while.
   */
  answered(subscriber: Subscriber, answer: string | Buffer): void {
    const isLong = answer.length > LONG_ANSWER_CHARACTERS;
    for (const subscription of this.#ofSubscriber.get(subscriber) ?? []) {
      if (!subscription.isBegun && (isLong || answer.includes(subscription.id))) {
        subscription.isBegun = true;
        this.#ready.add(subscription);
      }
    }
    this.#wake();
  }

  /** A subscriber who was behind has taken what there was. */
  resume(subscriber: Subscriber): void {
    for (const subscription of this.#ofSubscriber.get(subscriber) ?? []) this.#ready.add(subscription);
    this.#wake();
  }

  #mayAdd(subscriber: Subscriber, criteria: number): Held {
    const own = this.#ofSubscriber.get(subscriber)?.size ?? 0;
    if (own >= CONNECTION_SUBSCRIPTIONS_MAX) {
      throw new LimitError(
        `this connection has ${own} subscriptions, the limit of one connection: unsubscribe from one`,
      );
    }
    const held = this.#held.get(subscriber.client) ?? { subscriptions: 0, criteria: 0 };
    if (!mayHaveMore(held.subscriptions, 1, this.#all.size, SUBSCRIPTIONS_MAX)) {
      throw new LimitError(
        `this client has ${held.subscriptions} subscriptions, its share of the limit of ${SUBSCRIPTIONS_MAX}: ` +
          'unsubscribe from one',
      );
    }
    if (criteria > 0 && !mayHaveMore(held.criteria, criteria, this.#criteria, FILTER_CRITERIA_MAX)) {
      throw new LimitError(
        `the subscriptions of this client name ${held.criteria} addresses, topics and hashes, and may not name ` +
          `${criteria} more: its share of the limit of ${FILTER_CRITERIA_MAX}`,
      );
    }
    return held;
  }

  #topic(kind: SubscriptionKind, profile: ProfileId, view: SubscriptionView): Topic {
    const name = `${profile} ${JSON.stringify(kind, (_key, value) => hexOfBytes(value))}`;
    const known = this.#topics.get(name);
    if (known !== undefined) return known;
    const topic: Topic = { name, feed: this.#feed(kind, view), all: new Set() };
    this.#topics.set(name, topic);
    return topic;
  }

  #feed(kind: SubscriptionKind, view: SubscriptionView): Feed {
    const { ledger, nodeStatus, time } = this.#options;
    this.#feeds += 1;
    const id = this.#feeds;
    const ofBlocks = (telling: BlockTelling): Feed => new BlockFeed(ledger, this.#texts, id, telling);
    switch (kind.kind) {
      case 'newHeads':
        return ofBlocks(headTelling(view));
      case 'logs':
        return ofBlocks(logTelling(ledger, view, kind.match));
      case 'transactionReceipts':
        return ofBlocks(receiptTelling(ledger, view, kind.hashes));
      case 'newPendingTransactions': {
        const { acceptedHash, acceptedTransaction } = view;
        return new AcceptedFeed(ledger, kind.isFull ? acceptedTransaction : acceptedHash);
      }
      case 'syncing':
        return new SyncFeed(nodeStatus, time, () => this.#wakeAll((other) => other instanceof SyncFeed));
    }
  }

  #remove(subscription: Subscription): void {
    const { id, subscriber, topic, reader, criteria } = subscription;
    this.#all.delete(id);
    this.#ready.delete(subscription);
    reader.close();
    topic.all.delete(subscription);
    if (topic.all.size === 0) {
      this.#topics.delete(topic.name);
      if (topic.feed instanceof AcceptedFeed) topic.feed.close();
    }
    const own = this.#ofSubscriber.get(subscriber);
    own?.delete(subscription);
    if (own?.size === 0) this.#ofSubscriber.delete(subscriber);
    const held = this.#held.get(subscriber.client);
    invariant(held !== undefined, 'a client that has a subscription is counted');
    held.subscriptions -= 1;
    held.criteria -= criteria;
    this.#criteria -= criteria;
    if (held.subscriptions === 0) this.#held.delete(subscriber.client);
  }

  #eachBlockFeed(action: (feed: BlockFeed) => void): void {
    for (const { feed } of this.#topics.values()) if (feed instanceof BlockFeed) action(feed);
  }

  /** The subscriptions of some feeds may have something to tell. */
  #wakeAll(isMeant: (feed: Feed) => boolean): void {
    for (const { feed, all } of this.#topics.values()) {
      if (isMeant(feed)) for (const subscription of all) this.#ready.add(subscription);
    }
    this.#wake();
  }

  #wake(): void {
    if (this.#isWoken || this.#ready.size === 0) return;
    this.#isWoken = true;
    this.#options.time.soon(() => {
      this.#isWoken = false;
      this.#tellAll();
    });
  }

  /** Tells those that may have something, for a while; the rest when everything else has had its turn. */
  #tellAll(): void {
    const { time } = this.#options;
    const end = time.now() + NOTIFY_SLICE_MS;
    for (const { subscriber } of this.#ready) {
      this.#tell(subscriber, end);
      if (time.now() >= end) break;
    }
    this.#wake();
  }

  /** Tells a subscriber what all of its subscriptions have: sending many messages costs hardly more than one. */
  #tell(subscriber: Subscriber, end: number): void {
    const { onFailure } = this.#options;
    const messages = new Messages(subscriber);
    try {
      for (const subscription of this.#ofSubscriber.get(subscriber) ?? []) {
        // Who is behind, or does not know of it yet, is told when that ends.
        if (!this.#ready.delete(subscription) || !subscription.isBegun) continue;
        if (this.#read(subscription, messages, end)) this.#ready.add(subscription);
      }
      messages.send();
    } catch (error) {
      messages.send();
      const failed = (): string =>
        failureOf(error, (reported) => onFailure?.('eth_subscription', reported)).message;
      subscriber.giveUp(error instanceof MissedError ? error.message : failed());
    }
  }

  /** Returns whether there may be more that its subscriber would take. */
  #read({ begin, subscriber, reader }: Subscription, messages: Messages, end: number): boolean {
    const { time } = this.#options;
    while (!subscriber.isBehind()) {
      const text = reader.next();
      if (text === undefined) return false;
      messages.add([begin, text, END]);
      if (time.now() >= end) return true;
    }
    return false;
  }
}

/** What a subscriber is told together. */
class Messages {
  readonly #subscriber: Subscriber;
  #all: Message[] = [];
  #bytes = 0;

  constructor(subscriber: Subscriber) {
    this.#subscriber = subscriber;
  }

  add(message: Message): void {
    this.#all.push(message);
    for (const { length } of message) this.#bytes += length;
    if (this.#bytes >= NOTIFY_TOGETHER_BYTES) this.send();
  }

  send(): void {
    if (this.#all.length === 0) return;
    const messages = this.#all;
    this.#all = [];
    this.#bytes = 0;
    this.#subscriber.tell(messages);
  }
}

/** What a notification of a subscription begins with. */
function beginning(id: string): Uint8Array {
  return Buffer.from(
    `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":`,
  );
}

/** How many addresses, topics and hashes a subscription names. */
function criteriaOf(kind: SubscriptionKind): number {
  switch (kind.kind) {
    case 'logs':
      return kind.match.topics.reduce((sum, { length }) => sum + length, kind.match.addresses.length);
    case 'transactionReceipts':
      return kind.hashes.length;
    default:
      return 0;
  }
}

/** Bytes as text, by which two subscriptions to the same are known. */
function hexOfBytes(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
