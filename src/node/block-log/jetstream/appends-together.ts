import { STREAM_SEED_BYTES_MAX, STREAM_SEED_MESSAGES_MAX } from '../../../limits.ts';
import type { Appended } from './appended.ts';
import type { LogView } from './log-view.ts';
import type { Published } from './publication.ts';

/**
 * Cuts blocks into groups that are published together, in their order: each on the condition that the one before it is
 * there. What takes more than one message stays alone.
 */
export async function* inGroups(
  blocks: Iterable<Appended> | AsyncIterable<Appended>,
): AsyncGenerator<readonly Appended[], void, undefined> {
  let group: Appended[] = [];
  let bytes = 0;
  for await (const block of blocks) {
    const isAlone = block.messages.length > 1;
    const isFull =
      group.length === STREAM_SEED_MESSAGES_MAX || bytes + block.bytes.length > STREAM_SEED_BYTES_MAX;
    if (group.length > 0 && (isAlone || isFull)) {
      yield group;
      group = [];
      bytes = 0;
    }
    if (isAlone) {
      yield [block];
      continue;
    }
    group.push(block);
    bytes += block.bytes.length;
  }
  if (group.length > 0) yield group;
}

/** Publishes blocks together behind the end of a log; gives the view of each that is known to be there. */
export async function publishTogether(
  end: LogView,
  group: readonly Appended[],
  publish: (block: Appended, last: number) => Promise<Published>,
): Promise<readonly LogView[]> {
  const outcomes = await Promise.allSettled(
    group.map((block, index) => publish(block, end.sequence + index)),
  );
  const views: LogView[] = [];
  for (const [index, { head }] of group.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status !== 'fulfilled' || 'unknown' in outcome.value) break;
    views.push({ number: head.number, id: head.id, sequence: outcome.value.sequence });
  }
  return views;
}
