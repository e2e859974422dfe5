import type {
  BlockLogDescription,
  BlockLogImplementation,
  BlockLogInspection,
  BlockLogSource,
  ChainIdentity,
} from '../block-log-source.ts';
import { noteProblem } from '../note-problem.ts';
import { type JetStreamSettings, LOG_ADDRESS_FORM, parseLogAddress, shownLogAddress } from './log-address.ts';
import { LogConnection } from './log-connection.ts';
import { type OpenLog, openJetStream, openOn } from './open-log.ts';
import { checkServer, checkSync } from './server-checks.ts';
import { findStream, namesOf } from './stream.ts';
import { checkStream } from './stream-checks.ts';

/** Block logs in streams of NATS JetStream. */
export const jetStream: BlockLogImplementation = {
  addressForm: LOG_ADDRESS_FORM,
  parseAddress: (text) => {
    const address = parseLogAddress(text);
    if (address === undefined) return undefined;
    return {
      url: shownLogAddress(address),
      source: (options) => jetStreamSource({ ...options, address }),
    };
  },
};

/** Names the block log of some servers. */
export function jetStreamSource(settings: JetStreamSettings): BlockLogSource {
  return {
    url: shownLogAddress(settings.address),
    open: (chain) => openJetStream(settings, chain, chain.head === 0, { atLeast: chain.head }),
    openToSeed: async (chain, stop) => (await openJetStream(settings, chain, true, { stop })).log,
    inspect: (chain) => inspect(settings, chain),
  };
}

async function inspect(settings: JetStreamSettings, chain: ChainIdentity): Promise<BlockLogInspection> {
  const connection = await LogConnection.open(settings);
  try {
    const { stream } = namesOf(chain);
    const problems: string[] = [];
    await noteProblem(problems, () => checkServer(connection));
    const info = await noteProblem(problems, () => findStream(connection, stream));
    if (info === undefined && problems.length === 0) problems.push(`there is no stream ${stream}`);
    if (info !== undefined) {
      await noteProblem(problems, () => checkStream(info, chain, settings.replicas));
      await noteProblem(problems, () => checkSync(info, connection, settings));
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
