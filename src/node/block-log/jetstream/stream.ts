import type { StreamConfig, StreamInfo } from '@nats-io/jetstream';
import { bytesToHex } from '../../../protocol/index.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import type { ChainIdentity } from '../block-log-source.ts';
import { type LogConnection, reasonOf } from './log-connection.ts';

/** Prefix of the names of streams, and of the subjects of a chain. */
const PREFIX = 'ledgerd';

/** Characters of a chain's id in names, which identify it and stay legible. */
const ID_CHARACTERS = 16;

const STREAM_NOT_FOUND = 10_059;
const NO_CLUSTER = 10_074;

/** The names of a chain on the servers of a log. */
export type StreamNames = ReturnType<typeof namesOf>;

/** Returns the names of a chain on the servers of a log. */
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
    'ledgerd.chain': bytesToHex(chainId),
    'ledgerd.genesis': bytesToHex(genesisId),
  };
}

/** Returns the stream of a chain as its leader describes it; undefined where there is none. */
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

/** Returns true if JetStream responded that a stream does not exist, unlike a timeout or a missing leader. */
export function isStreamNotFound(error: unknown): boolean {
  return codeOf(error) === STREAM_NOT_FOUND;
}

/** Returns the error for a missing stream, with the way to create it again. */
export function streamNotFound({ url }: LogConnection, name: string): BlockLogUnsoundError {
  return new BlockLogUnsoundError(
    `the log at ${url} has no stream ${name}: if it is lost, or was never there, create it out of the ` +
      'chain that has the most blocks, with ledgerd log seed',
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
