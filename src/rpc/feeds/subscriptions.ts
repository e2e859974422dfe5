import { randomBytes } from 'node:crypto';
import { runUntil } from '../../time/job.ts';
import type { Time } from '../../time/time.ts';
import type { Message, Subscriber } from '../context/caller.ts';
import { DEFAULT_RPC_LIMITS } from '../context/rpc-limits.ts';
import { failureOf } from '../messages/failure.ts';
import type { ClientSubscriptions } from '../method-context.ts';
import { LimitError } from '../rpc-errors.ts';
import { MissedEventsError, type Reader } from './feed.ts';
import { ReaderRegistry, type Registered } from './reader-registry.ts';

/** Subscriptions at one time: of all connections, and of one. */
const SUBSCRIPTIONS_MAX = 20_000;
const CONNECTION_SUBSCRIPTIONS_MAX = 128;

/** Milliseconds of sending notifications before other work runs. */
const NOTIFY_SLICE_MS = 5;
/** Bytes of notifications to a subscriber that are sent together. */
const NOTIFY_TOGETHER_BYTES = 64 * 1024;

const ID_BYTES = 16;
const END = Buffer.from('}}');

interface Subscription extends Registered {
  readonly id: string;
  readonly subscriber: Subscriber;
  readonly begin: Uint8Array;
  /** True after the response with its id was written. */
  isStarted: boolean;
}

/**
 * The subscriptions of a node (docs/interface.md#subscriptions): readers to which new events are pushed, in a time
 * slice of each iteration of the event loop. A subscription stores a position and no events, so a slow client costs
 * nothing.
 */
export class Subscriptions {
  readonly #time: Time;
  readonly #onFailure: (task: string, error: unknown) => void;
  readonly #registry = new ReaderRegistry<string, Subscription>({
    unit: 'subscriptions',
    readersMax: SUBSCRIPTIONS_MAX,
    advice: 'unsubscribe from one',
    criteria: 'addresses, topics and hashes',
    criteriaMax: DEFAULT_RPC_LIMITS.filterCriteriaMax,
  });
  readonly #bySubscriber = new Map<Subscriber, Set<Subscription>>();
  /** Subscribers that may have notifications. */
  readonly #ready = new Set<Subscriber>();
  #isScheduled = false;

  /** @param onFailure notified of failures of the node itself */
  constructor(time: Time, onFailure: (task: string, error: unknown) => void) {
    this.#time = time;
    this.#onFailure = onFailure;
  }

  get size(): number {
    return this.#registry.size;
  }

  /**
   * Adds a subscription to events from now on. They are sent after its start.
   *
   * @param criteria number of addresses, topics and hashes that it names
   * @param open opens its reader, which calls back at new events
   * @throws LimitError
   */
  add(
    subscriber: Subscriber,
    criteria: number,
    open: (onEvent: () => void) => Reader,
  ): ReturnType<ClientSubscriptions['add']> {
    const own = this.#bySubscriber.get(subscriber) ?? new Set();
    if (own.size >= CONNECTION_SUBSCRIPTIONS_MAX) {
      throw new LimitError(
        `this connection has ${own.size} subscriptions, the limit of one connection: unsubscribe from one`,
      );
    }
    const { client } = subscriber;
    this.#registry.checkCapacity(client, criteria);
    const id = `0x${randomBytes(ID_BYTES).toString('hex')}`;
    const begin = Buffer.from(
      `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":`,
    );
    const reader = open(() => this.#wake(subscriber));
    const subscription = { id, client, subscriber, reader, criteria, begin, isStarted: false };
    this.#registry.add(id, subscription);
    this.#bySubscriber.set(subscriber, own.add(subscription));
    const start = (): void => {
      subscription.isStarted = true;
      this.resume(subscriber);
    };
    return { id, start };
  }

  /** Ends a subscription. Returns false if the subscriber has none with this id. */
  remove(subscriber: Subscriber, id: string): boolean {
    const subscription = this.#registry.get(id);
    if (subscription?.subscriber !== subscriber) return false;
    this.#registry.remove(id);
    const own = this.#bySubscriber.get(subscriber);
    own?.delete(subscription);
    if (own?.size === 0) this.#bySubscriber.delete(subscriber);
    return true;
  }

  removeAll(subscriber: Subscriber): void {
    for (const { id } of this.#bySubscriber.get(subscriber) ?? []) this.remove(subscriber, id);
  }

  /** Continues to notify a subscriber that was behind. */
  resume(subscriber: Subscriber): void {
    if (this.#bySubscriber.has(subscriber)) this.#wake(subscriber);
  }

  #wake(subscriber: Subscriber): void {
    this.#ready.add(subscriber);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#ready.size === 0) return;
    this.#isScheduled = true;
    this.#time.soon(() => {
      this.#isScheduled = false;
      runUntil(this.#notifying(), this.#time.now() + NOTIFY_SLICE_MS, this.#time);
      this.#schedule();
    });
  }

  /** Notifies ready subscribers; those that it does not reach are still ready. */
  *#notifying(): Generator<void, void, number> {
    for (const subscriber of this.#ready) {
      const end = yield;
      this.#ready.delete(subscriber);
      if (this.#notify(subscriber, end)) this.#ready.add(subscriber);
    }
  }

  /** Sends a subscriber the notifications of its subscriptions. Returns true if there may be more. */
  #notify(subscriber: Subscriber, end: number): boolean {
    const messages = new Messages(subscriber);
    let hasMore = false;
    try {
      for (const subscription of this.#bySubscriber.get(subscriber) ?? []) {
        if (subscription.isStarted && this.#read(subscription, messages, end)) hasMore = true;
      }
      messages.send();
    } catch (error) {
      messages.send();
      const failed = (): string =>
        failureOf(error, (cause) => this.#onFailure('eth_subscription', cause)).message;
      subscriber.disconnect(error instanceof MissedEventsError ? error.message : failed());
    }
    return hasMore;
  }

  /** Returns true if the subscription may have more notifications for the subscriber. */
  #read({ begin, subscriber, reader }: Subscription, messages: Messages, end: number): boolean {
    while (!subscriber.isBehind()) {
      const text = reader.next();
      if (text === undefined) return false;
      messages.add([begin, text, END]);
      if (this.#time.now() >= end) return true;
    }
    return false;
  }
}

/** A buffer of messages to a subscriber, which are sent together since each write is expensive. */
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
    const messages = this.#all;
    this.#all = [];
    this.#bytes = 0;
    if (messages.length > 0) this.#subscriber.notify(messages);
  }
}
