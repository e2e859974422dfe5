import { setTimeout as delay } from 'node:timers/promises';
import type { StreamInfo } from '@nats-io/jetstream';
import { STREAM_OPEN_TIMEOUT_MS, STREAM_RETRY_MS } from '../../../limits.ts';
import { BlockLogUnavailableError } from '../block-log.ts';
import type { BlockLogChain, ChainIdentity, OpenedBlockLog } from '../block-log-source.ts';
import { JetStreamExchange } from './jetstream-exchange.ts';
import { JetStreamLog } from './jetstream-log.ts';
import { LogConnection } from './log-connection.ts';
import { isRefusal } from './log-login.ts';
import type { JetStreamSettings } from './log-settings.ts';
import { checkServer, checkSync } from './server-checks.ts';
import { createStream, findStream, namesOf, streamNotFound } from './stream.ts';
import { checkStream } from './stream-checks.ts';
import { StreamMessages } from './stream-messages.ts';

const MILLISECONDS = 1_000;

export interface OpeningOptions {
  /** Number of a block that the log had once: that it has it no more is believed after some time only. */
  readonly atLeast?: number;
  /** Once aborted, the log is waited for no longer. */
  readonly stop?: AbortSignal | undefined;
}

/** A log on JetStream, and what comes over the same connection. */
export interface OpenLog {
  readonly log: JetStreamLog;
  readonly transactions: JetStreamExchange;
  readonly clocks: JetStreamExchange;
  readonly connection: LogConnection;
  readonly messages: StreamMessages;
  /** What the stream was when it was opened. */
  readonly info: StreamInfo;
}

/**
 * Opens the log that a node works with. A log that is not there is created for a node that has no block yet.
 *
 * @throws BlockLogUnavailableError, BlockLogUnsoundError
 */
export async function openBlockLog(
  settings: JetStreamSettings,
  chain: BlockLogChain,
): Promise<OpenedBlockLog> {
  const { log, transactions, clocks } = await openJetStream(settings, chain, chain.head === 0, {
    atLeast: chain.head,
  });
  return { log, exchange: transactions, clocks };
}

/**
 * Opens the log of a chain, after a look at all that its safety depends on.
 *
 * @param mayCreate whether a log that is not there is created; else that is an error
 * @throws BlockLogUnavailableError, BlockLogUnsoundError, and the reason of `stop`; nothing stays open then
 */
export async function openJetStream(
  settings: JetStreamSettings,
  chain: ChainIdentity,
  mayCreate: boolean,
  { atLeast = 0, stop }: OpeningOptions = {},
): Promise<OpenLog> {
  const connection = await LogConnection.open(settings, stop);
  // Whoever waits for an answer by it does not wait any more.
  const close = (): void => void connection.close();
  stop?.addEventListener('abort', close);
  try {
    const info = await checkedStream(connection, { settings, chain, mayCreate, stop });
    return openOn(connection, chain, info, atLeast);
  } catch (error) {
    await connection.close();
    throw error;
  } finally {
    stop?.removeEventListener('abort', close);
  }
}

interface Opening {
  readonly settings: JetStreamSettings;
  readonly chain: ChainIdentity;
  readonly mayCreate: boolean;
  readonly stop: AbortSignal | undefined;
}

/** The stream of a chain once it is known to be safe. A cluster that is electing its leaders is given time. */
async function checkedStream(
  connection: LogConnection,
  { settings, chain, mayCreate, stop }: Opening,
): Promise<StreamInfo> {
  const deadline = performance.now() + STREAM_OPEN_TIMEOUT_MS;
  for (;;) {
    try {
      await checkServer(connection);
      const info = await openStream(connection, settings, chain, mayCreate);
      checkStream(info, chain, settings.replicas);
      await checkSync(info, connection, settings);
      return info;
    } catch (error) {
      stop?.throwIfAborted();
      const isPassing = error instanceof BlockLogUnavailableError && !isRefusal(error);
      if (!isPassing) throw error;
      if (performance.now() > deadline) throw notReady(connection, error);
      await delay(STREAM_RETRY_MS);
      stop?.throwIfAborted();
    }
  }
}

function notReady({ url }: LogConnection, cause: BlockLogUnavailableError): BlockLogUnavailableError {
  const seconds = STREAM_OPEN_TIMEOUT_MS / MILLISECONDS;
  const message = `the log at ${url} was not ready within ${seconds} s: ${cause.message}`;
  return new BlockLogUnavailableError(message, { cause });
}

async function openStream(
  connection: LogConnection,
  { replicas }: JetStreamSettings,
  chain: ChainIdentity,
  mayCreate: boolean,
): Promise<StreamInfo> {
  const { stream } = namesOf(chain);
  const found = await findStream(connection, stream);
  if (found !== undefined) return found;
  if (mayCreate) return createStream(connection, chain, replicas);
  throw streamNotFound(connection, stream);
}

/** The log in a stream that is there, without a look at whether it is safe. */
export function openOn(
  connection: LogConnection,
  chain: ChainIdentity,
  info: StreamInfo,
  atLeast = 0,
): OpenLog {
  const { stream, blocks, stored, transactions, clocks } = namesOf(chain);
  const messages = new StreamMessages(connection, stream, info.created);
  const log = new JetStreamLog({
    connection,
    address: { stream, subject: blocks },
    stored,
    messages,
    genesisId: chain.genesisId,
    atLeast,
  });
  return {
    log,
    transactions: new JetStreamExchange(connection, transactions),
    clocks: new JetStreamExchange(connection, clocks),
    connection,
    messages,
    info,
  };
}
