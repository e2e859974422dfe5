import type { StreamInfo } from '@nats-io/jetstream';
import { STREAM_REPLICA_SILENCE_MS_MAX } from '../../../limits.ts';

const NANOSECONDS_PER_MS = 1e6;

/** How a stream's servers stand, as one of them sees it. */
export type StreamCluster = StreamInfo['cluster'];

/**
 * What a stream lacks to take messages; undefined where it lacks nothing. A server without a leader describes what it
 * has itself, which may be old, and a leader that is cut off takes itself for one for a while.
 *
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

/** Whether a leader heard a replica lately; of one that it never heard it says 0. */
function isHeard({ current, active }: Replica): boolean {
  return (current || active > 0) && active <= STREAM_REPLICA_SILENCE_MS_MAX * NANOSECONDS_PER_MS;
}
