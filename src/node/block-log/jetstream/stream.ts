import type { StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { bytesToHex, hexToBytes, messageOf, toBlockId, toHash } from '../../../protocol/index.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError, type ChainIdentity } from '../block-log.ts';
import { type LogConnection, reasonOf } from './log-connection.ts';

/** Milliseconds without a replica's heartbeat, due each second, after which the leader counts it as absent. */
const STREAM_REPLICA_SILENCE_MS_MAX = 5_000;

/** Prefix of the names of streams, and of the subjects of a chain. */
const PREFIX = 'ledgerd';

/** Characters of a chain's id in names. */
const ID_CHARACTERS = 16;

/** Metadata of a stream. */
const CHAIN_KEY = 'ledgerd.chain';
const GENESIS_KEY = 'ledgerd.genesis';

const STREAM_NOT_FOUND = 10_059;
const NO_CLUSTER = 10_074;

/** The names of a chain on the servers of a log. */
export type StreamNames = ReturnType<typeof namesOf>;

export function namesOf({ chainId }: ChainIdentity) {
  const chain = bytesToHex(chainId).slice(0, ID_CHARACTERS);
  return {
    stream: `${PREFIX}-${chain}`,
    blocks: `${PREFIX}.${chain}.blocks`,
    /** Subject of a notification of each stored block. */
    stored: `${PREFIX}.${chain}.stored`,
    transactions: `${PREFIX}.${chain}.transactions`,
    clocks: `${PREFIX}.${chain}.clocks`,
  } as const;
}

/** Returns the metadata of a chain's stream. */
export function metadataOf({ chainId, genesisId }: ChainIdentity): Readonly<Record<string, string>> {
  return {
    'ledgerd.format': '1',
    [CHAIN_KEY]: bytesToHex(chainId),
    [GENESIS_KEY]: bytesToHex(genesisId),
  };
}

/** Returns the leader's description of a chain's stream; undefined if the stream does not exist. */
export async function findStream(connection: LogConnection, name: string): Promise<StreamInfo | undefined> {
  return connection.query(async () => {
    try {
      return await connection.manager.streams.info(name);
    } catch (error) {
      if (isStreamNotFound(error)) return undefined;
      throw error;
    }
  });
}

/**
 * Returns the chain of the only stream of ledgerd.
 * @throws BlockLogUnavailableError; BlockLogUnsoundError if there is none, several, or one without the chain's ids
 */
export async function findOnlyChain(connection: LogConnection): Promise<ChainIdentity> {
  const { url, manager } = connection;
  const found = await connection.query(async () => {
    const streams: StreamInfo[] = [];
    for await (const info of manager.streams.list()) {
      if (info.config.name.startsWith(`${PREFIX}-`)) streams.push(info);
      if (streams.length > 1) break;
    }
    return streams;
  });
  const [only, other] = found;
  if (only === undefined) throw new BlockLogUnsoundError(`the log at ${url} has no stream of a chain`);
  if (other !== undefined) {
    const names = found.map(({ config }) => config.name).join(' and ');
    throw new BlockLogUnsoundError(
      `the log at ${url} has the streams of several chains, such as ${names}: name the chain by --data-dir`,
    );
  }
  const { name, metadata = {} } = only.config;
  try {
    return {
      chainId: toHash(hexToBytes(metadata[CHAIN_KEY] ?? '')),
      genesisId: toBlockId(hexToBytes(metadata[GENESIS_KEY] ?? '')),
    };
  } catch (cause) {
    throw new BlockLogUnsoundError(`the stream ${name} does not state its chain: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** Returns true if JetStream reported that a stream does not exist. */
export function isStreamNotFound(error: unknown): boolean {
  return codeOf(error) === STREAM_NOT_FOUND;
}

/** Creates the error for a missing stream, with the way to recreate it. */
export function streamNotFound({ url }: LogConnection, name: string): BlockLogUnsoundError {
  return new BlockLogUnsoundError(
    `the log at ${url} has no stream ${name}: create it from the store with the most blocks by ` +
      '"ledgerd block-log seed"',
  );
}

/** Creates the stream of a chain, unless it exists. @throws BlockLogUnavailableError with the servers' reason */
export async function createStream(
  connection: LogConnection,
  chain: ChainIdentity,
  replicas: number,
): Promise<StreamInfo> {
  const { stream, blocks, stored } = namesOf(chain);
  const config: Partial<StreamConfig> & { readonly name: string } = {
    name: stream,
    description: 'Blocks of a ledgerd chain: never delete, purge or limit it',
    subjects: [blocks],
    metadata: metadataOf(chain),
    storage: 'file',
    retention: 'limits',
    discard: 'new',
    num_replicas: replicas,
    max_msgs: -1,
    max_bytes: -1,
    max_age: 0,
    max_msgs_per_subject: -1,
    max_msg_size: -1,
    deny_delete: true,
    deny_purge: true,
    allow_direct: true,
    allow_atomic: true,
    allow_rollup_hdrs: false,
    republish: { src: blocks, dest: stored, headers_only: true },
  };
  return connection.query(async () => {
    try {
      return await connection.manager.streams.add(config);
    } catch (error) {
      // Another node may have created it first.
      const found = await findStream(connection, stream);
      if (found !== undefined) return found;
      const message = `the log's stream ${stream} with ${replicas} replicas cannot be created: ${reasonOf(error)}`;
      // Other errors may be those of a cluster that is still forming.
      throw codeOf(error) === NO_CLUSTER
        ? new BlockLogUnsoundError(`${message}; one server is enough only with --block-log-replicas 1`, {
            cause: error,
          })
        : new BlockLogUnavailableError(message, { cause: error });
    }
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

const NANOSECONDS_PER_MS = 1e6;

/** A requirement of a stream, and its error message. */
type Requirement = readonly [isMet: boolean, message: string];

/**
 * Rejects a stream unless it is the log of a chain and cannot lose messages.
 * @throws BlockLogUnsoundError with the messages of all violated requirements
 */
export function checkStream(info: StreamInfo, chain: ChainIdentity, replicas: number): void {
  const { config, state } = info;
  requireAll(config, [
    ...chainRequirements(config, chain),
    ...configRequirements(config, replicas),
    completeness(state),
  ]);
}

/** Rejects a stream with deleted or purged messages. @throws BlockLogUnsoundError */
export function requireWholeStream({ config, state }: Pick<StreamInfo, 'config' | 'state'>): void {
  requireAll(config, [completeness(state)]);
}

function requireAll({ name }: StreamConfig, requirements: readonly Requirement[]): void {
  const messages = requirements.flatMap(([isMet, message]) => (isMet ? [] : [message]));
  if (messages.length === 0) return;
  throw new BlockLogUnsoundError(
    `the stream ${name} is not safe as the log of this chain: ${messages.join('; ')}`,
  );
}

function chainRequirements(config: StreamConfig, chain: ChainIdentity): Requirement[] {
  const { blocks } = namesOf(chain);
  const isOfChain = Object.entries(metadataOf(chain)).every(
    ([name, value]) => config.metadata?.[name] === value,
  );
  const isSeparate =
    config.mirror === undefined &&
    (config.sources ?? []).length === 0 &&
    config.subject_transform === undefined;
  return [
    [isOfChain, 'it is the stream of another chain or program'],
    [
      config.subjects.length === 1 && config.subjects[0] === blocks,
      `it has more or other subjects than ${blocks}`,
    ],
    [isSeparate, 'it copies messages from other streams or changes their subjects'],
  ];
}

function configRequirements(config: StreamConfig, replicas: number): Requirement[] {
  const { max_msgs, max_bytes, max_age, max_msgs_per_subject, max_msg_size } = config;
  const limits = [max_msgs, max_bytes, max_age, max_msgs_per_subject, max_msg_size];
  const isUnlimited = limits.every((limit) => limit === undefined || limit <= 0);
  return [
    [
      config.num_replicas >= replicas,
      `it has ${config.num_replicas} replica${config.num_replicas === 1 ? '' : 's'} and --block-log-replicas ` +
        `requires ${replicas} (nats stream edit --replicas ${replicas})`,
    ],
    [config.storage === 'file', `its storage is ${config.storage}, not file`],
    [
      (config.persist_mode ?? 'default') === 'default',
      `its persist mode is ${config.persist_mode}: it confirms writes before they are on disk`,
    ],
    [config.deny_delete === true, 'messages can be deleted from it (deny_delete is off)'],
    [config.deny_purge === true, 'it can be purged (deny_purge is off)'],
    [isUnlimited, 'it has a limit of messages, bytes or age'],
    [config.retention === 'limits', `its retention is ${config.retention}, not limits`],
    [config.discard === 'new', 'it discards old messages for new ones (discard is not new)'],
    [config.allow_direct === true, 'its replicas cannot be read (allow_direct is off)'],
    [config.allow_atomic === true, 'it does not support batches of messages (allow_atomic is off)'],
    [config.allow_rollup_hdrs !== true, 'a message can replace others (allow_rollup_hdrs is on)'],
    [config.allow_msg_ttl !== true, 'messages can expire (allow_msg_ttl is on)'],
    [config.sealed !== true, 'it is sealed'],
    [config.no_ack !== true, 'it does not confirm messages (no_ack is on)'],
  ];
}

function completeness({ messages, first_seq, last_seq, num_deleted }: StreamInfo['state']): Requirement {
  const isWhole = (num_deleted ?? 0) === 0 && messages === last_seq && (last_seq === 0 || first_seq === 1);
  return [
    isWhole,
    `messages were deleted or purged from it: it has ${messages}, from ${first_seq} to ${last_seq}, ` +
      `${num_deleted ?? 0} of them deleted`,
  ];
}

/** The servers of a stream, as reported by one of them. */
export type StreamCluster = StreamInfo['cluster'];

/**
 * Returns the reason for which a stream accepts no messages; undefined without one. A server without a leader reports
 * its possibly outdated state, and a leader that is cut off considers itself the leader for a while.
 * @param cluster undefined for a standalone server
 */
export function unavailabilityOf(cluster: StreamCluster): string | undefined {
  if (cluster === undefined) return undefined;
  const { leader, replicas = [] } = cluster;
  if (leader === undefined || leader === '') return 'its stream has no leader';
  const reachable = 1 + replicas.filter(isReachable).length;
  const all = 1 + replicas.length;
  if (2 * reachable > all) return undefined;
  return `the leader of its stream reaches ${reachable - 1} of ${all - 1} replicas`;
}

/** Returns true for a replica that contacted the leader recently. Its `active` is 0 if it never did. */
function isReachable({ current, active }: { readonly current: boolean; readonly active: number }): boolean {
  return (current || active > 0) && active <= STREAM_REPLICA_SILENCE_MS_MAX * NANOSECONDS_PER_MS;
}
