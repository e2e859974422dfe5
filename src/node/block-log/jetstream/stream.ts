import type { StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { bytesToHex } from '../../../protocol/index.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import type { ChainIdentity } from '../block-log-source.ts';
import { type LogConnection, reasonOf } from './log-connection.ts';

/** What the names of streams begin with, and the subjects of a chain. */
const PREFIX = 'ledgerd';

/** Of a chain's id enough to tell it from every other one, so that names stay legible. */
const ID_CHARACTERS = 16;

/** Codes of JetStream's errors. */
const STREAM_NOT_FOUND = 10_059;
const NO_CLUSTER = 10_074;

/** The names of a chain on the servers of a log. */
export function namesOf({ chainId }: ChainIdentity) {
  const chain = bytesToHex(chainId).slice(0, ID_CHARACTERS);
  return {
    stream: `${PREFIX}-${chain}`,
    /** Where blocks are published. */
    blocks: `${PREFIX}.${chain}.blocks`,
    /** Where the stream tells of each block that it took. */
    stored: `${PREFIX}.${chain}.stored`,
    /** Where nodes send each other transactions. */
    transactions: `${PREFIX}.${chain}.transactions`,
    /** Where producers send readings of their clocks. */
    clocks: `${PREFIX}.${chain}.clocks`,
  } as const;
}

/** What a stream says of its chain. */
export function metadataOf({ chainId, genesisId }: ChainIdentity): Readonly<Record<string, string>> {
  return {
    'ledgerd.format': '1',
    'ledgerd.chain': bytesToHex(chainId),
    'ledgerd.genesis': bytesToHex(genesisId),
  };
}

/** The stream of a chain, as its leader describes it; undefined where there is none. */
export async function findStream(connection: LogConnection, name: string): Promise<StreamInfo | undefined> {
  return connection.asking(async () => {
    try {
      return await connection.manager.streams.info(name);
    } catch (error) {
      if (isStreamNotFound(error)) return undefined;
      throw error;
    }
  });
}

/** Tells whether JetStream answered that a stream does not exist, which no timeout or missing leader does. */
export function isStreamNotFound(error: unknown): boolean {
  return codeOf(error) === STREAM_NOT_FOUND;
}

/** Returns the error for a log whose stream does not exist, with the way to create it again. */
export function streamNotFound({ url }: LogConnection, name: string): BlockLogUnsoundError {
  return new BlockLogUnsoundError(
    `the log at ${url} has no stream ${name}: if it is lost, or was never there, create it out of the ` +
      'chain that has the most blocks, with ledgerd log seed',
  );
}

/**
 * Creates the stream of a chain; one that is there stays as it is.
 *
 * @throws BlockLogUnavailableError, with what the servers said
 */
export async function createStream(
  connection: LogConnection,
  chain: ChainIdentity,
  replicas: number,
): Promise<StreamInfo> {
  const { stream, blocks, stored } = namesOf(chain);
  const { StorageType, RetentionPolicy, DiscardPolicy } = connection.vocabulary;
  const config: Partial<StreamConfig> & { readonly name: string } = {
    name: stream,
    description: 'Blocks of a ledgerd chain: never delete, purge or limit it',
    subjects: [blocks],
    metadata: metadataOf(chain),
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
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
  return connection.asking(async () => {
    try {
      return await connection.manager.streams.add(config);
    } catch (error) {
      // Another node may have been quicker.
      const found = await findStream(connection, stream);
      if (found !== undefined) return found;
      const message = `the log's stream ${stream} with ${replicas} replicas cannot be created: ${reasonOf(error)}`;
      // What fails otherwise may be a cluster whose servers do not know each other yet.
      throw codeOf(error) === NO_CLUSTER
        ? new BlockLogUnsoundError(`${message}; one server is enough only with --log-replicas 1`, {
            cause: error,
          })
        : new BlockLogUnavailableError(message, { cause: error });
    }
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
