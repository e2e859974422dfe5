import { BoundedMap } from '../../caching/bounded-map.ts';
import { genesisNumberOf, type Ledger } from '../../ledger/index.ts';
import { bytesToHex, type Hash } from '../../protocol/index.ts';
import type { Time } from '../../time/time.ts';
import { type NodeStatus, toSyncStatus } from '../context/node-status.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { BlockRange } from '../logs/find-logs.ts';
import type { FeedContext, MethodContext } from '../method-context.ts';
import { criteriaOf, type SubscriptionKind } from '../parameters/event-kinds.ts';
import type { Profile } from '../profiles/profile.ts';
import { acceptedTransactions, headers, logs, NOTIFICATIONS_CHARACTERS_MAX, receipts } from './channels.ts';
import { Channel, type ChannelSource, Feed, type Reader, type Revocation, type Texts } from './feed.ts';
import { Filters } from './filters.ts';
import { JournalFeed } from './journal-feed.ts';
import { Subscriptions } from './subscriptions.ts';

/** Accepted transactions that are stored for the slowest subscriber. */
const SUBSCRIBED_ACCEPTED_MAX = 10_000;
/** Changes of the sync state that are stored for the slowest subscriber. */
const SYNC_CHANGES_MAX = 1_000;
/** Bytes of removed logs that are stored until all filters and subscribers have read them. */
const REVOKED_BYTES_MAX = 16 * 1024 * 1024;

/** The revocations of a reorganisation; undefined for too many. */
type Revoked = Map<Channel | undefined, readonly Revocation<Uint8Array>[] | undefined>;

/** The feed of blocks. A reorganisation moves readers back to the last common block. */
class ChainFeed extends Feed {
  readonly #ledger: Ledger;
  /** Last remaining block and revocations of the others, made before a reorganisation removes the blocks. */
  #prepared: { last: number; byChannel: Revoked } | undefined;

  constructor(ledger: Ledger) {
    super();
    this.#ledger = ledger;
  }

  end(): number {
    return this.#ledger.blocks.head().number + 1;
  }

  protected follow(): () => void {
    const stops = [
      this.#ledger.chain.onBlock(() => this.notifyListeners()),
      this.#ledger.chain.onReverting((last) => this.#prepare(last)),
      this.#ledger.history.onReorg(() => this.#rewind()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  #prepare(last: number): void {
    let free = REVOKED_BYTES_MAX;
    for (const reader of this.readers) free -= reader.revokedBytes;
    const byChannel: Revoked = new Map();
    for (const channel of this.channels.values()) {
      const revocations = channel.revocationsFrom(last + 1, free);
      free -= revocations?.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
      byChannel.set(channel, free < 0 ? undefined : revocations);
    }
    this.#prepared = { last, byChannel };
  }

  #rewind(): void {
    const head = this.#ledger.blocks.head().number;
    const prepared = this.#prepared;
    this.#prepared = undefined;
    // A failed reorganisation leaves its revocations unused.
    const isPrepared = prepared !== undefined && prepared.last <= head;
    const { last, byChannel } = isPrepared ? prepared : { last: head, byChannel: new Map() };
    const genesis = genesisNumberOf(this.#ledger.parameters.genesis);
    for (const reader of this.readers) {
      const { channel } = reader;
      reader.rewind(last + 1, byChannel.has(channel) ? byChannel.get(channel) : []);
      // A chain that replaces another may begin later.
      if (reader.position <= genesis) reader.moveTo(genesis + 1);
    }
    this.notifyListeners();
  }
}

/** The feeds of a node, and their readers: filters and subscriptions. */
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
  #lastChannelId = 0;

  constructor(contexts: Readonly<Record<ProfileId, FeedContext>>, time: Time) {
    const { ledger: context } = contexts;
    const { ledger, limits } = context;
    this.#contexts = contexts;
    this.#chain = new ChainFeed(ledger);
    this.#accepted = new JournalFeed({
      unit: 'transactions',
      retainedMin: Math.max(limits.logsMax, SUBSCRIBED_ACCEPTED_MAX),
      follow: (append) =>
        ledger.pool.onAccepted((hashes) => {
          append(hashes);
          this.#filters.removeExpired();
        }),
    });
    this.#sync = new JournalFeed({
      unit: 'changes of the sync state',
      retainedMin: SYNC_CHANGES_MAX,
      follow: (append) => followSyncState(context.nodeStatus, time, append),
    });
    this.#filters = new Filters(context, time, {
      chain: this.#chain,
      accepted: this.#accepted,
      openLogs: (match, range, profile) => this.#open({ kind: 'logs', match }, profile, undefined, range),
    });
    this.subscriptions = new Subscriptions(time, (task, error) => context.onFailure?.(task, error));
    ledger.history.onReorg(() => this.#texts.clear());
  }

  of(profile: Profile): Pick<MethodContext, 'filters' | 'subscriptions'> {
    const filters = this.#filters;
    const subscriptions = this.subscriptions;
    return {
      filters: {
        add: (client, kind) => filters.add(client, kind, profile),
        poll: (id) => filters.poll(id),
        logs: (id) => filters.logs(id, !profile.lenientLogs),
        logCriteria: (id) => filters.logCriteria(id),
        remove: (id) => filters.remove(id),
      },
      subscriptions: {
        add: (subscriber, kind) =>
          subscriptions.add(subscriber, criteriaOf(kind), (onEvent) => this.#open(kind, profile, onEvent)),
        remove: (subscriber, id) => subscriptions.remove(subscriber, id),
      },
    };
  }

  #open(kind: SubscriptionKind, profile: Profile, onEvent?: () => void, range?: BlockRange): Reader {
    const { feed, source } = this.#sourceOf(kind, profile, range);
    const limits = range === undefined ? '' : `${range.from}-${range.to}`;
    const name = `${profile.id} ${limits} ${JSON.stringify(kind, (_key, value) => hexOfBytes(value))}`;
    const makeChannel = (): Channel => {
      this.#lastChannelId += 1;
      return new Channel(name, this.#lastChannelId, source, this.#texts);
    };
    return feed.openChannel(name, makeChannel, onEvent);
  }

  #sourceOf(
    kind: SubscriptionKind,
    profile: Profile,
    range?: BlockRange,
  ): { feed: Feed; source: ChannelSource } {
    const context = this.#contexts[profile.id];
    const chain = this.#chain;
    const accepted = this.#accepted;
    const sync = this.#sync;
    switch (kind.kind) {
      case 'newHeads':
        return { feed: chain, source: headers(context) };
      case 'logs':
        return { feed: chain, source: logs(context, kind.match, range) };
      case 'transactionReceipts':
        return { feed: chain, source: receipts(context, kind.hashes) };
      case 'newPendingTransactions':
        return { feed: accepted, source: acceptedTransactions(context, accepted, kind.isFull) };
      case 'syncing':
        return { feed: sync, source: { textsOf: (event) => sync.from(event, 1) } };
    }
  }
}

/** Replaces bytes by text, for a name in JSON. */
function hexOfBytes(value: unknown): unknown {
  return value instanceof Uint8Array ? bytesToHex(value) : value;
}

/** Milliseconds between two checks of the sync state. */
const SYNC_CHECK_MS = 1_000;

/** Appends a notification at each change of the sync state. Returns a function that stops this. */
function followSyncState(
  nodeStatus: NodeStatus,
  time: Time,
  append: (texts: readonly string[]) => void,
): () => void {
  let wasSyncing = nodeStatus.syncing() !== undefined;
  return time.every(SYNC_CHECK_MS, () => {
    const status = nodeStatus.syncing();
    const isSyncing = status !== undefined;
    const shown = status !== undefined && { syncing: true, status: toSyncStatus(status) };
    if (isSyncing !== wasSyncing) append([JSON.stringify(shown)]);
    wasSyncing = isSyncing;
  });
}
