import { dirname } from 'node:path';
import {
  chainIdOf,
  type Genesis,
  Ledger,
  OPERATION_INDEXING,
  RegistrationService,
  systemClock,
} from '../ledger/index.ts';
import { BLOCK_LOG_SILENCE_MS_MAX } from '../limits.ts';
import { equalBytes, formatAccountId, formatTime, invariant } from '../protocol/index.ts';
import type { BlockLogStatus, NodeStatus } from '../rpc/index.ts';
import { CpuBackoff } from '../scheduling/index.ts';
import { openStore } from '../store/index.ts';
import { systemTime } from '../time.ts';
import { blockFeedOf } from './block-feed.ts';
import type { OpenedBlockLog } from './block-log/block-log.ts';
import { type Closers, openAll } from './closers.ts';
import type { NodeConfiguration } from './configuration.ts';
import { dataFolderAt, openDataFolder } from './data-folder.ts';
import { describeService } from './description.ts';
import { GenesisFileError, KeyFileError } from './errors.ts';
import { migrationNotices, type NodeEvents } from './events.ts';
import { lockFolder } from './folder-lock.ts';
import { httpBlockSource } from './following/fetch-blocks.ts';
import { HttpForwarder } from './following/forwarder.ts';
import { findGenesis, storeGenesis } from './genesis-file.ts';
import { loadKeys, type NodeKeys, type StoredKey } from './keys/key-file.ts';
import { SignedRecords } from './keys/signed-records.ts';
import { producersSeen } from './producers-seen.ts';
import { NodeRuntime } from './runtime.ts';
import { forwardNotifications, startService } from './service.ts';
import { freeBytesAt } from './space-watch.ts';

/** A running persistent node. */
export type RunningNode = Awaited<ReturnType<typeof startNode>>;

/** The description of a persistent node; nothing in it is secret. */
export type NodeDescription = RunningNode['description'];

/**
 * Starts the persistent node of a folder: store, ledger and server, production with the key of a producer, and
 * following.
 * @throws DataFolderError, GenesisFileError, KeyFileError, StoreError, GenesisMismatchError, ChainDamagedError, and
 *   what listening throws; everything that was opened is closed then
 */
export function startNode(
  configuration: NodeConfiguration,
  events: NodeEvents = {},
  freeBytes = freeBytesAt,
) {
  return openAll((closers) => openNode(configuration, events, freeBytes, closers));
}

async function openNode(
  configuration: NodeConfiguration,
  events: NodeEvents,
  freeBytes: typeof freeBytesAt,
  closers: Closers,
) {
  const { follow, minFreeBytes, produceWithoutHearing, maxLag } = configuration;
  const { folder, store, ledger, held, signed } = await openChain(configuration, events, closers);
  forwardNotifications(ledger, events);
  reportKeys(held, events);
  signAgain(configuration, ledger, signed, events);
  const shared = await openLog(configuration, ledger, closers);
  const blockInterval = configuration.blockInterval ?? ledger.parameters.genesis.blockInterval;
  const backoff = new CpuBackoff(systemTime);
  const activity = new NodeRuntime({
    ...{ ledger, shared, backoff, produceWithoutHearing, minFreeBytes, maxLag, events },
    intervalMs: blockInterval * 1_000,
    follow: follow.map(httpBlockSource),
    time: systemTime,
    freeBytes: () => freeBytes(folder.path),
  });
  const registration = openRegistrationService(
    ledger,
    held,
    configuration.registrationDifficulty,
    shared !== undefined,
  );
  const forwarder = forwarderOf(configuration, held);
  const server = await startService(
    {
      ...{ ledger, store, backoff, registration, forwarder },
      wallet: undefined,
      nodeStatus: statusOf(activity, ledger, held),
      nodeNumber: configuration.nodeNumber ?? nodeNumberOf(ledger.parameters.genesis, held),
      headLag: activity.headLag,
      localOrigins: false,
      writes: activity.writes,
      health: () => activity.health(),
      blockFeed: blockFeedOf(store),
    },
    configuration,
    events,
    closers,
  );
  // Before the server, so that the server does not wait for other nodes.
  closers.add(() => forwarder?.close());
  // Some of it may have begun when a start fails.
  closers.add(() => activity.close());
  activity.start();
  const description = {
    ...describeService(configuration, server.url, ledger),
    mode: 'node' as const,
    dataDir: folder.path,
    /** Seconds between two blocks. */
    blockInterval,
    /** The producers of the genesis whose keys the node holds. */
    producers: held.producers.map(({ account }) => account),
    keys: [...held.producers, ...held.registrars].map(({ account, keys: { publicKey } }) => ({
      account,
      publicKey,
    })),
    /** True if the node registers accounts. */
    registers: registration !== undefined,
    follow,
    /** The servers of its block log, without credentials; undefined without one. */
    log: shared?.log.url,
  };
  // Closing stops everything in order, and may be called again: no more blocks, no more requests, then the store.
  return { url: server.url, port: server.port, description, ledger, close: () => closers.close() };
}

/** Returns the status of a node: its peers are followed nodes, and with a block log the other active producers. */
function statusOf(activity: NodeRuntime, ledger: Ledger, { producers }: NodeKeys): NodeStatus {
  const { status } = activity;
  const own = producers.map(({ account }) => account);
  const seen = producersSeen(ledger, own);
  const isHeard = (log: BlockLogStatus | undefined): boolean =>
    log !== undefined && log.silentSeconds * 1_000 <= BLOCK_LOG_SILENCE_MS_MAX;
  return {
    ...status,
    peerCount: () => status.peerCount() + (isHeard(status.blockLog?.()) ? seen() : 0),
  };
}

/** Opens the parts of a node's folder. */
async function openChain(
  { dataDir, genesisFile, keysFolder, history, undoBlocks, log }: NodeConfiguration,
  events: NodeEvents,
  closers: Closers,
) {
  const folder = dataFolderAt(dataDir);
  // Nothing is written before the configuration is known to be sound.
  const genesis = findGenesis(folder, genesisFile);
  const held = loadKeys(folder, keysFolder, genesis);
  requireWholeOrder(held, genesis, log);
  openDataFolder(dataDir);
  closers.add(await lockFolder(folder.path));
  // Two nodes with one key would sign two blocks of one number.
  for (const path of new Set(held.producers.map((key) => dirname(key.path)))) {
    closers.add(await lockFolder(path));
  }
  const signed = SignedRecords.open(held.producers, chainIdOf(genesis));
  closers.add(() => signed.close());
  const onMigration = migrationNotices(events, systemTime);
  const keeping = { history, historyOfNewFile: false, undoBlocks, indexing: OPERATION_INDEXING };
  const store = openStore({ path: folder.store, durable: true, ...keeping, onMigration });
  closers.add(() => store.close());
  const ledger = await Ledger.open({
    store,
    genesis,
    clock: systemClock,
    keys: held.producers.map(({ keys }) => keys),
    signed,
    production: productionOf(held, log),
    mining: true,
  });
  requireSameTime(ledger, genesis);
  storeGenesis(folder, genesis);
  return { folder, store, ledger, held, signed };
}

/**
 * Rejects a node with the keys of some producers and without a block log: two of them would each wait for the other's
 * blocks. @throws KeyFileError
 */
function requireWholeOrder({ producers }: NodeKeys, genesis: Genesis, log: NodeConfiguration['log']): void {
  const held = new Set(producers.map(({ account }) => account));
  const missing = genesis.producers.filter((producer) => !held.has(producer));
  if (log !== undefined || held.size === 0 || missing.length === 0) return;
  throw new KeyFileError(
    `the keys of ${missing.map(formatAccountId).join(', ')}, who produce blocks as well, are not here: nodes that ` +
      'take turns need a log of blocks that they share, which --log names; a node without the key of any producer ' +
      'can follow others by --follow',
  );
}

function productionOf(
  { producers }: NodeKeys,
  log: NodeConfiguration['log'],
): 'scheduled' | 'onDemand' | 'none' {
  if (log !== undefined) return 'scheduled';
  return producers.length > 0 ? 'onDemand' : 'none';
}

/** Opens the block log of the configuration. @throws BlockLogUnavailableError, BlockLogUnsoundError */
async function openLog(
  { log }: NodeConfiguration,
  ledger: Ledger,
  closers: Closers,
): Promise<OpenedBlockLog | undefined> {
  if (log === undefined) return undefined;
  const genesis = ledger.blocks.blockByNumber(0);
  invariant(genesis !== undefined, 'an open ledger has its genesis block');
  const { chainId } = ledger.parameters;
  const opened = await log.open({ chainId, genesisId: genesis.id, head: ledger.blocks.head().number });
  closers.add(() => opened.log.close());
  return opened;
}

/** Rejects a genesis file with another time: the time is no part of the chain id, but of block 0. */
function requireSameTime(ledger: Ledger, { timestamp }: Genesis): void {
  if (ledger.parameters.genesis.timestamp === timestamp) return;
  const [stored, given] = [ledger.parameters.genesis.timestamp, timestamp].map(formatTime);
  throw new GenesisFileError(`the stored chain began at ${stored}Z, the genesis file says ${given}Z`);
}

/** Returns the number of a node among several producers: the position of the first whose key it holds, from 1. */
function nodeNumberOf({ producers }: Genesis, held: NodeKeys): number | undefined {
  const accounts = new Set(held.producers.map(({ account }) => account));
  const own = producers.findIndex((producer) => accounts.has(producer));
  return producers.length > 1 && own >= 0 ? own + 1 : undefined;
}

/** Discards signatures beyond the newest block, where the operator names that block. */
function signAgain(
  { signAgainAfter }: NodeConfiguration,
  ledger: Ledger,
  signed: SignedRecords,
  events: NodeEvents,
): void {
  const { number } = ledger.blocks.head();
  const last = signed.newest;
  if (signAgainAfter === undefined || last <= number) return;
  if (signAgainAfter !== number) {
    throw new KeyFileError(
      `--sign-again-after names block ${signAgainAfter}, and the newest block is ${number}: nothing is given up`,
    );
  }
  signed.setBack(number);
  events.onNotice?.({ kind: 'signingSetBack', after: number, last });
}

/**
 * Opens the registration service where blocks are made, here or in the cluster, and a held key alone can pay for it.
 */
function openRegistrationService(
  ledger: Ledger,
  { producers, registrars }: NodeKeys,
  difficulty: number,
  isShared: boolean,
): RegistrationService | undefined {
  const active = ledger.accounts.account(ledger.parameters.registrar)?.active;
  const suffices = ({ keys }: StoredKey): boolean =>
    active?.keyAuths.some(
      ([key, weight]) => equalBytes(key, keys.publicKey) && weight >= active.weightThreshold,
    ) ?? false;
  const registrar = registrars.find(suffices);
  if (registrar === undefined || (producers.length === 0 && !isShared)) return undefined;
  return new RegistrationService(ledger, registrar.keys, { difficulty });
}

/** Returns the forwarder of a node that can only follow others. */
function forwarderOf({ follow, log }: NodeConfiguration, { producers }: NodeKeys): HttpForwarder | undefined {
  const onlyFollows = producers.length === 0 && log === undefined && follow.length > 0;
  return onlyFollows ? new HttpForwarder(follow) : undefined;
}

function reportKeys({ producers, registrars, unused }: NodeKeys, events: NodeEvents): void {
  events.onNotice?.({
    kind: 'keysLoaded',
    producers: producers.map(({ account }) => account),
    registrar: registrars.length > 0,
  });
  for (const { account, path } of unused) events.onNotice?.({ kind: 'keyUnused', account, path });
}
