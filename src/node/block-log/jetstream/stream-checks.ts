import type { StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { STREAM_REPLICA_SILENCE_MS_MAX } from '../../../limits.ts';
import { BlockLogUnsoundError } from '../block-log.ts';
import type { ChainIdentity } from '../block-log-source.ts';
import { metadataOf, namesOf } from './stream.ts';

const NANOSECONDS_PER_MS = 1e6;

/** A demand on a stream, and the complaint where it is not met. */
type Demand = readonly [isMet: boolean, complaint: string];

/**
 * Rejects a stream unless it is the log of a chain and cannot lose messages. @throws BlockLogUnsoundError with all
 * faults
 */
export function checkStream(info: StreamInfo, chain: ChainIdentity, replicas: number): void {
  const { config, state } = info;
  requireAll(config, [
    ...chainDemands(config, chain),
    ...configDemands(config, replicas),
    ...stateDemands(state),
  ]);
}

/** Rejects a stream that messages were deleted or purged from. @throws BlockLogUnsoundError */
export function requireWholeStream({ config, state }: Pick<StreamInfo, 'config' | 'state'>): void {
  requireAll(config, stateDemands(state));
}

function requireAll({ name }: StreamConfig, demands: readonly Demand[]): void {
  const complaints = demands.flatMap(([isMet, complaint]) => (isMet ? [] : [complaint]));
  if (complaints.length === 0) return;
  throw new BlockLogUnsoundError(
    `the stream ${name} is not safe as the log of this chain: ${complaints.join('; ')}`,
  );
}

function chainDemands(config: StreamConfig, chain: ChainIdentity): Demand[] {
  const { blocks } = namesOf(chain);
  const isOfChain = Object.entries(metadataOf(chain)).every(
    ([name, value]) => config.metadata?.[name] === value,
  );
  const isItsOwn =
    config.mirror === undefined &&
    (config.sources ?? []).length === 0 &&
    config.subject_transform === undefined;
  return [
    [isOfChain, 'it is the stream of another chain, or of another program'],
    [
      config.subjects.length === 1 && config.subjects[0] === blocks,
      `it takes more or other subjects than ${blocks}`,
    ],
    [isItsOwn, 'it takes messages from other streams or changes their subjects'],
  ];
}

function configDemands(config: StreamConfig, replicas: number): Demand[] {
  const { max_msgs, max_bytes, max_age, max_msgs_per_subject, max_msg_size } = config;
  const isUnlimited =
    [max_msgs, max_bytes, max_msgs_per_subject, max_msg_size].every(unlimited) && unlimited(max_age);
  return [
    [
      config.num_replicas >= replicas,
      `it has ${config.num_replicas} replica${config.num_replicas === 1 ? '' : 's'} and --log-replicas asks for ` +
        `${replicas} (nats stream edit --replicas ${replicas})`,
    ],
    [config.storage === 'file', `its storage is ${config.storage}, not file`],
    [
      (config.persist_mode ?? 'default') === 'default',
      `its persist mode is ${config.persist_mode}: it confirms what is not on the disk`,
    ],
    [config.deny_delete === true, 'messages can be deleted from it (deny_delete is off)'],
    [config.deny_purge === true, 'it can be purged (deny_purge is off)'],
    [isUnlimited, 'it has a limit of messages, bytes or age'],
    [config.retention === 'limits', `its retention is ${config.retention}, not limits`],
    [config.discard === 'new', 'it discards old messages for new ones (discard is not new)'],
    [config.allow_direct === true, 'its replicas cannot be read (allow_direct is off)'],
    [config.allow_atomic === true, 'it takes no batches of messages (allow_atomic is off)'],
    [config.allow_rollup_hdrs !== true, 'a message can replace others (allow_rollup_hdrs is on)'],
    [config.allow_msg_ttl !== true, 'messages can have an end (allow_msg_ttl is on)'],
    [config.sealed !== true, 'it is sealed'],
    [config.no_ack !== true, 'it confirms nothing (no_ack is on)'],
  ];
}

function unlimited(limit: number | undefined): boolean {
  return limit === undefined || limit <= 0;
}

function stateDemands({ messages, first_seq, last_seq, num_deleted }: StreamInfo['state']): Demand[] {
  const isWhole = (num_deleted ?? 0) === 0 && messages === last_seq && (last_seq === 0 || first_seq === 1);
  return [
    [
      isWhole,
      `messages were deleted or purged from it: it has ${messages}, from ${first_seq} to ${last_seq}, ` +
        `${num_deleted ?? 0} of them deleted`,
    ],
  ];
}

/** The servers of a stream, as one of them reports them. */
export type StreamCluster = StreamInfo['cluster'];

/**
 * Describes what a stream lacks to accept messages; undefined where it lacks nothing. A server without a leader
 * describes what it has itself, which may be old, and a leader that is cut off takes itself for one for a while.
 * @param cluster undefined for a server on its own
 */
export function lackOf(cluster: StreamCluster): string | undefined {
  if (cluster === undefined) return undefined;
  const { leader, replicas = [] } = cluster;
  if (leader === undefined || leader === '') return 'its stream has no leader';
  const [there, all] = [1 + replicas.filter(isHeard).length, 1 + replicas.length];
  return 2 * there > all ? undefined : `the leader of its stream hears ${there - 1} of ${all - 1} replicas`;
}

type Replica = NonNullable<NonNullable<StreamCluster>['replicas']>[number];

/** Returns true if a leader heard a replica recently; it reports 0 for one that it never heard. */
function isHeard({ current, active }: Replica): boolean {
  return (current || active > 0) && active <= STREAM_REPLICA_SILENCE_MS_MAX * NANOSECONDS_PER_MS;
}
