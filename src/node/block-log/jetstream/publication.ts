import { randomUUID } from 'node:crypto';
import { STREAM_UNCONFIRMED_PARTS_MAX } from '../../../limits.ts';
import type { EntryMessage } from './entry.ts';
import { fieldOf, type LogConnection } from './log-connection.ts';
import type { StreamNames } from './stream.ts';

const WRONG_LAST_SEQUENCE = 10_071;

/** An unknown outcome: only the messages of the stream show it. */
export interface Unknown {
  readonly unknown: string;
  /** True if the stream reports another end: reading it shows more. */
  readonly isMoved: boolean;
}

/** The outcome of a publication: the sequence of its last message, or unknown. */
export type Published = { readonly sequence: number } | Unknown;

/**
 * Publishes the messages of a block, all or none, if the stream ends with a sequence.
 * @param last sequence of the stream's last message
 * @throws BlockLogUnavailableError, which leaves the outcome unknown as well
 */
export async function publish(
  connection: LogConnection,
  { stream, blocks }: StreamNames,
  messages: readonly [EntryMessage, ...EntryMessage[]],
  last: number,
): Promise<Published> {
  const expected = ['Nats-Expected-Last-Sequence', String(last)] as const;
  const checked = ['Nats-Expected-Stream', stream] as const;
  const send = (message: EntryMessage, ...headers: (readonly [string, string])[]): Promise<unknown> =>
    connection
      .request(blocks, message.data, connection.headers([...message.headers, ...headers]))
      .then(({ data }) => answerOf(data));
  const [first, ...rest] = messages;
  const final = rest.pop();
  if (final === undefined) return outcomeOf(await send(first, checked, expected), stream, last + 1);
  const batch = ['Nats-Batch-Id', randomUUID()] as const;
  const place = (number: number) => ['Nats-Batch-Sequence', String(number)] as const;
  const begun = await send(first, checked, expected, batch, place(1));
  if (begun !== undefined) return refusalOf(begun);
  for (const [index, message] of rest.entries()) {
    const headers = connection.headers([...message.headers, batch, place(index + 2)]);
    await connection.asking(async () => connection.nats.publish(blocks, message.data, { headers }));
    if (index % STREAM_UNCONFIRMED_PARTS_MAX === 0) await connection.asking(() => connection.nats.flush());
  }
  const commit = ['Nats-Batch-Commit', '1'] as const;
  const answer = await send(final, batch, place(messages.length), commit);
  return outcomeOf(answer, stream, last + messages.length);
}

function answerOf(data: Uint8Array): unknown {
  if (data.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(data));
  } catch {
    return 'an answer that is no JSON';
  }
}

function outcomeOf(answer: unknown, stream: string, expected: number): Published {
  const isOurs =
    fieldOf(answer, 'error') === undefined &&
    fieldOf(answer, 'stream') === stream &&
    fieldOf(answer, 'seq') === expected;
  return isOurs ? { sequence: expected } : refusalOf(answer);
}

function refusalOf(answer: unknown): Unknown {
  const error = fieldOf(answer, 'error');
  const description = fieldOf(error, 'description');
  return {
    unknown: typeof description === 'string' ? description : `it answered ${JSON.stringify(answer)}`,
    isMoved: fieldOf(error, 'err_code') === WRONG_LAST_SEQUENCE,
  };
}
