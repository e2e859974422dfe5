import type { StreamInfo } from '@nats-io/jetstream';
import { TRANSACTION_BYTES_MAX } from '../../../consensus.ts';
import {
  type BlockLogAddress,
  type BlockLogDescription,
  type BlockLogInspection,
  type BlockLogSource,
  BlockLogUnavailableError,
  type ChainIdentity,
  collectProblem,
  type MessageExchange,
} from '../block-log.ts';
import { JetStreamLog } from './jetstream-log.ts';
import { type JetStreamSettings, parseLogAddress, shownLogAddress } from './log-address.ts';
import { isTransient, LogConnection, retried } from './log-connection.ts';
import { checkServer, checkSync } from './server-checks.ts';
import { checkStream, createStream, findOnlyChain, findStream, namesOf, streamNotFound } from './stream.ts';
import { StreamMessages } from './stream-messages.ts';
import { STREAM_OPEN_TIMEOUT_MS } from './timeouts.ts';

/** Bytes of transactions in flight to the block log's servers; beyond them none is forwarded. */
const STREAM_TRANSACTION_BYTES_MAX = 16 * 1024 * 1024;

/** Parses the address of a block log: URLs with commas between them. Returns undefined for any other text. */
export function parseBlockLogAddress(text: string): BlockLogAddress | undefined {
  const address = parseLogAddress(text);
  return (
    address && {
      url: shownLogAddress(address),
      source: (options) => jetStreamSource({ ...options, address }),
    }
  );
}

/** Returns the block log of some servers. */
export function jetStreamSource(settings: JetStreamSettings): BlockLogSource {
  return {
    url: shownLogAddress(settings.address),
    open: (chain) => openJetStream(settings, chain, chain.head === 0, { atLeast: chain.head }),
    openToSeed: async (chain, stop) => (await openJetStream(settings, chain, true, { stop })).log,
    inspect: (chain) => inspect(settings, chain),
  };
}

async function inspect(
  settings: JetStreamSettings,
  given: ChainIdentity | undefined,
): Promise<BlockLogInspection> {
  const connection = await LogConnection.open(settings);
  try {
    const chain = given ?? (await findOnlyChain(connection));
    const { stream } = namesOf(chain);
    const problems: string[] = [];
    await collectProblem(problems, () => checkServer(connection));
    const info = await collectProblem(problems, () => findStream(connection, stream));
    if (info === undefined && problems.length === 0) problems.push(`the stream ${stream} does not exist`);
    if (info !== undefined) {
      await collectProblem(problems, () => checkStream(info, chain, settings.replicas));
      await collectProblem(problems, () => checkSync(info, connection, settings));
    }
    const server = connection.nats.info?.server_name ?? '';
    return {
      description: { server, stream, found: info && describeStream(info), problems },
      log: info && openOn(connection, chain, info).log,
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function describeStream({ created, state, config, cluster }: OpenLog['info']): BlockLogDescription['found'] {
  const { messages, bytes } = state;
  const followers = (cluster?.replicas ?? []).map(({ name, current, offline, lag }) => ({
    name,
    isLeader: false,
    isCurrent: current,
    isOffline: offline === true,
    lag: lag ?? 0,
  }));
  const leader = cluster?.leader;
  const leading =
    leader === undefined || leader === ''
      ? []
      : [{ name: leader, isLeader: true, isCurrent: true, isOffline: false, lag: 0 }];
  return { created, messages, bytes, replicas: config.num_replicas, keepers: [...leading, ...followers] };
}

const MILLISECONDS = 1_000;

/** A log on JetStream and the exchanges over its connection. */
export type OpenLog = ReturnType<typeof openOn>;

/**
 * Opens the log of a chain, after all checks that its safety depends on.
 * @param atLeast number of a block that the log had before; its loss is reported after some time only
 * @param mayCreate true if a missing log is created, false if it is an error
 * @throws BlockLogUnavailableError, BlockLogUnsoundError, and the reason of `stop`; nothing stays open then
 */
export async function openJetStream(
  settings: JetStreamSettings,
  chain: ChainIdentity,
  mayCreate: boolean,
  { atLeast = 0, stop }: { readonly atLeast?: number; readonly stop?: AbortSignal } = {},
): Promise<OpenLog> {
  const connection = await LogConnection.open(settings, stop);
  // Aborts all pending requests.
  const close = (): void => void connection.close();
  stop?.addEventListener('abort', close);
  try {
    const info = await retried(() => checkedStream(connection, settings, chain, mayCreate), stop);
    return openOn(connection, chain, info, atLeast);
  } catch (error) {
    await connection.close();
    throw error;
  } finally {
    stop?.removeEventListener('abort', close);
  }
}

/** Finds or creates the stream of a chain, and checks it. */
async function checkedStream(
  connection: LogConnection,
  settings: JetStreamSettings,
  chain: ChainIdentity,
  mayCreate: boolean,
): Promise<StreamInfo> {
  const { stream } = namesOf(chain);
  try {
    await checkServer(connection);
    const found = await findStream(connection, stream);
    if (found === undefined && !mayCreate) throw streamNotFound(connection, stream);
    const info = found ?? (await createStream(connection, chain, settings.replicas));
    checkStream(info, chain, settings.replicas);
    await checkSync(info, connection, settings);
    return info;
  } catch (cause) {
    if (!isTransient(cause)) throw cause;
    const seconds = STREAM_OPEN_TIMEOUT_MS / MILLISECONDS;
    const message = `the log at ${connection.url} was not ready within ${seconds} s: ${cause.message}`;
    throw new BlockLogUnavailableError(message, { cause });
  }
}

/** Opens the log in an existing stream, without a check. */
export function openOn(connection: LogConnection, chain: ChainIdentity, info: StreamInfo, atLeast = 0) {
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

/** Messages between a chain's nodes on one subject. The servers of the log forward them without storing them. */
class JetStreamExchange implements MessageExchange {
  readonly #connection: LogConnection;
  readonly #subject: string;
  /** Bytes that the servers have not confirmed yet. */
  #inFlight = 0;

  constructor(connection: LogConnection, subject: string) {
    this.#connection = connection;
    this.#subject = subject;
  }

  publish(message: Uint8Array): void {
    const isTooMuch = this.#inFlight + message.length > STREAM_TRANSACTION_BYTES_MAX;
    if (isTooMuch || message.length > TRANSACTION_BYTES_MAX || !this.#connection.isConnected) return;
    const isFirst = this.#inFlight === 0;
    this.#inFlight += message.length;
    this.#connection.nats.publish(this.#subject, message);
    if (isFirst) void this.#drain();
  }

  onMessage(listener: (message: Uint8Array) => void): () => void {
    const subscription = this.#connection.subscribe(this.#subject, ({ data }) => {
      if (data.length > 0 && data.length <= TRANSACTION_BYTES_MAX) listener(new Uint8Array(data));
    });
    return () => subscription.unsubscribe();
  }

  /** Waits until the servers have received all messages; a lost connection loses those in flight. */
  async #drain(): Promise<void> {
    try {
      while (this.#inFlight > 0) {
        const sent = this.#inFlight;
        await this.#connection.nats.flush();
        this.#inFlight -= sent;
      }
    } catch {
      this.#inFlight = 0;
    }
  }
}
