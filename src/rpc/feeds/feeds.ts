import { BoundedMap } from '../../bounded-map.ts';
import { NOTIFICATIONS_CHARACTERS_MAX, SUBSCRIBED_ACCEPTED_MAX, SYNC_CHANGES_MAX } from '../../limits.ts';
import { bytesToHex, type Hash } from '../../protocol/index.ts';
import type { Time } from '../../time.ts';
import { quantity } from '../../view/index.ts';
import type { NodeStatus, SyncStatus } from '../context/node-status.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { FeedContext, MethodContext } from '../method-context.ts';
import { criteriaOf, type SubscriptionKind } from '../parameters/feed-kinds.ts';
import type { Profile } from '../profiles/profile.ts';
import { ChainFeed } from './chain-feed.ts';
import { type Feed, type Reader, type Texts, Topic, type TopicSource } from './feed.ts';
import { Filters } from './filters.ts';
import { JournalFeed } from './journal-feed.ts';
import { Subscriptions } from './subscriptions.ts';
import { acceptedTransactions, headers, logs, receipts } from './topics.ts';

/** The feeds of a node, with their two kinds of readers: filters and subscriptions. */
export class Feeds {
  readonly subscriptions: Subscriptions;
  readonly #contexts: Readonly<Record<ProfileId, FeedContext>>;
  readonly #filters: Filters;
  readonly #chain: ChainFeed;
  readonly #accepted: JournalFeed<Hash>;
  readonly #sync: JournalFeed<string>;
  readonly #texts = new BoundedMap<string, Texts>(NOTIFICATIONS_CHARACTERS_MAX, (texts) =>
    texts.reduce((sum, { length }) => sum + length, 1),
  );
  /** Number of topics that were ever made. */
  #topics = 0;

  constructor(contexts: Readonly<Record<ProfileId, FeedContext>>, time: Time) {
    const { ledger: context } = contexts;
    const { ledger, limits } = context;
    this.#contexts = contexts;
    this.#chain = new ChainFeed(ledger);
    this.#accepted = new JournalFeed({
      unit: 'transactions',
      keptMax: Math.max(limits.logsMax, SUBSCRIBED_ACCEPTED_MAX),
      follow: (append) =>
        ledger.pool.onAccepted((hashes) => {
          append(hashes);
          this.#filters.removeExpired();
        }),
    });
    this.#sync = new JournalFeed({
      unit: 'changes of the sync state',
      keptMax: SYNC_CHANGES_MAX,
      follow: (append) => followSyncState(context.nodeStatus, time, append),
    });
    this.#filters = new Filters(context, time, this.#chain, this.#accepted);
    this.subscriptions = new Subscriptions(time, (task, error) => context.onFailure?.(task, error));
    ledger.history.onForgotten(() => this.#texts.clear());
  }

  /** Returns the feeds as the methods of a profile read them. */
  of(profile: Profile): Pick<MethodContext, 'filters' | 'subscriptions'> {
    const [filters, subscriptions] = [this.#filters, this.subscriptions];
    return {
      filters: {
        add: (client, kind) => filters.add(client, kind, profile),
        poll: (id) => filters.poll(id),
        logs: (id) => filters.logs(id),
        remove: (id) => filters.remove(id),
      },
      subscriptions: {
        add: (subscriber, kind) =>
          subscriptions.add(subscriber, criteriaOf(kind), (onEvent) => this.#open(kind, profile, onEvent)),
        remove: (subscriber, id) => subscriptions.remove(subscriber, id),
      },
    };
  }

  #open(kind: SubscriptionKind, profile: Profile, onEvent: () => void): Reader {
    const { feed, source } = this.#sourceOf(kind, profile);
    const name = `${profile.id} ${JSON.stringify(kind, (_key, value) => hexOfBytes(value))}`;
    const makeTopic = (): Topic => {
      this.#topics += 1;
      return new Topic(name, this.#topics, source, this.#texts);
    };
    return feed.subscribe(name, makeTopic, onEvent);
  }

  #sourceOf(kind: SubscriptionKind, profile: Profile): { feed: Feed; source: TopicSource } {
    const context = this.#contexts[profile.id];
    const [chain, accepted, sync] = [this.#chain, this.#accepted, this.#sync];
    switch (kind.kind) {
      case 'newHeads':
        return { feed: chain, source: headers(context, profile) };
      case 'logs':
        return { feed: chain, source: logs(context, profile, kind.match) };
      case 'transactionReceipts':
        return { feed: chain, source: receipts(context, profile, kind.hashes) };
      case 'newPendingTransactions':
        return { feed: accepted, source: acceptedTransactions(context, profile, accepted, kind.isFull) };
      case 'syncing':
        return { feed: sync, source: { textsOf: (event) => sync.from(event, 1) } };
    }
  }
}

/** Returns bytes as text, which a name can have. */
function hexOfBytes(value: unknown): unknown {
  return value instanceof Uint8Array ? bytesToHex(value) : value;
}

/** Milliseconds between two checks of whether the node is catching up with others. */
const SYNC_CHECK_MS = 1_000;

/** Appends a notification whenever the node begins, and ends, to catch up with others, until it is stopped. */
function followSyncState(
  nodeStatus: NodeStatus,
  time: Time,
  append: (texts: readonly string[]) => void,
): () => void {
  let wasSyncing = nodeStatus.syncing() !== undefined;
  return time.every(SYNC_CHECK_MS, () => {
    const status = nodeStatus.syncing();
    const isSyncing = status !== undefined;
    if (isSyncing !== wasSyncing) append([textOf(status)]);
    wasSyncing = isSyncing;
  });
}

function textOf(status: SyncStatus | undefined): string {
  if (status === undefined) return 'false';
  const { startingBlock, currentBlock, highestBlock } = status;
  return JSON.stringify({
    syncing: true,
    status: {
      startingBlock: quantity(startingBlock),
      currentBlock: quantity(currentBlock),
      highestBlock: quantity(highestBlock),
    },
  });
}
