import { setTimeout as delay } from 'node:timers/promises';
import type { StreamInfo } from '@nats-io/jetstream';
import { STREAM_OPEN_TIMEOUT_MS, STREAM_RETRY_MS } from '../../../limits.ts';
import { BlockLogUnavailableError } from '../block-log.ts';
import type { ChainIdentity, OpenedBlockLog } from '../block-log-source.ts';
import { JetStreamExchange } from './jetstream-exchange.ts';
import { JetStreamLog } from './jetstream-log.ts';
import type { JetStreamSettings } from './log-address.ts';
import { LogConnection } from './log-connection.ts';
import { isRefusal } from './log-login.ts';
import { checkServer, checkSync } from './server-checks.ts';
import { createStream, findStream, namesOf, streamNotFound } from './stream.ts';
import { checkStream } from './stream-checks.ts';
import { StreamMessages } from './stream-messages.ts';

const MILLISECONDS = 1_000;

export interface OpeningOptions {
  /** Number of a block that the log had before: its loss is reported after some time only. */
  readonly atLeast?: number;
  readonly stop?: AbortSignal | undefined;
}

/** A log on JetStream and the exchanges over its connection. */
export interface OpenLog extends OpenedBlockLog {
  readonly log: JetStreamLog;
  readonly connection: LogConnection;
  readonly messages: StreamMessages;
  readonly info: StreamInfo;
}

/**
 * Opens the log of a chain, after all checks that its safety depends on.
 * @param mayCreate true if a missing log is created, false if it is an error
 * @throws BlockLogUnavailableError, BlockLogUnsoundError, and the reason of `stop`; nothing stays open then
 */
export async function openJetStream(
  settings: JetStreamSettings,
  chain: ChainIdentity,
  mayCreate: boolean,
  { atLeast = 0, stop }: OpeningOptions = {},
): Promise<OpenLog> {
  const connection = await LogConnection.open(settings, stop);
  // Ends all that waits for a response.
  const close = (): void => void connection.close();
  stop?.addEventListener('abort', close);
  try {
    const info = await checkedStream(connection, settings, chain, { mayCreate, stop });
    return openOn(connection, chain, info, atLeast);
  } catch (error) {
    await connection.close();
    throw error;
  } finally {
    stop?.removeEventListener('abort', close);
  }
}

/** Finds or creates the stream of a chain, and checks it. A cluster that elects its leaders gets time. */
async function checkedStream(
  connection: LogConnection,
  settings: JetStreamSettings,
  chain: ChainIdentity,
  { mayCreate, stop }: { readonly mayCreate: boolean; readonly stop: AbortSignal | undefined },
): Promise<StreamInfo> {
  const { stream } = namesOf(chain);
  const deadline = performance.now() + STREAM_OPEN_TIMEOUT_MS;
  for (;;) {
    try {
      await checkServer(connection);
      const found = await findStream(connection, stream);
      if (found === undefined && !mayCreate) throw streamNotFound(connection, stream);
      const info = found ?? (await createStream(connection, chain, settings.replicas));
      checkStream(info, chain, settings.replicas);
      await checkSync(info, connection, settings);
      return info;
    } catch (error) {
      stop?.throwIfAborted();
      const isPassing = error instanceof BlockLogUnavailableError && !isRefusal(error);
      if (!isPassing) throw error;
      if (performance.now() > deadline) {
        const seconds = STREAM_OPEN_TIMEOUT_MS / MILLISECONDS;
        const message = `the log at ${connection.url} was not ready within ${seconds} s: ${error.message}`;
        throw new BlockLogUnavailableError(message, { cause: error });
      }
      await delay(STREAM_RETRY_MS);
      stop?.throwIfAborted();
    }
  }
}

/** Returns the log in an existing stream, without a check. */
export function openOn(
  connection: LogConnection,
  chain: ChainIdentity,
  info: StreamInfo,
  atLeast = 0,
): OpenLog {
  const { stream, transactions, clocks } = namesOf(chain);
  const messages = new StreamMessages(connection, stream, info.created);
  return {
    log: new JetStreamLog(connection, chain, messages, atLeast),
    exchange: new JetStreamExchange(connection, transactions),
    clocks: new JetStreamExchange(connection, clocks),
    connection,
    messages,
    info,
  };
}
