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
import { forwardNotifications, openSignatureThreads, startService } from './service.ts';
import { freeBytesAt } from './space-watch.ts';

export type RunningNode = Awaited<ReturnType<typeof startNode>>;

/** The description of a persistent node, without secrets. */
export type NodeDescription = RunningNode['description'];

/**
 * Starts the persistent node of a folder: store, ledger and server, production with the keys of producers, and
 * following. On failure everything is closed.
 * @throws DataFolderError, GenesisFileError, KeyFileError, StoreError, GenesisMismatchError, ChainDamagedError, and the
 *   error of listening
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
  const blockLog = await openLog(configuration, ledger, closers);
  const blockInterval = configuration.blockInterval ?? ledger.parameters.genesis.blockInterval;
  const backoff = new CpuBackoff(systemTime);
  const runtime = new NodeRuntime({
    ...{ ledger, blockLog, backoff, produceWithoutHearing, minFreeBytes, maxLag, events },
    intervalMs: blockInterval * 1_000,
    follow: follow.map(httpBlockSource),
    time: systemTime,
    freeBytes: () => freeBytes(folder.path),
  });
  const registration = openRegistrationService(
    ledger,
    held,
    configuration.registrationDifficulty,
    blockLog !== undefined,
  );
  const forwarder = forwarderOf(configuration, held);
  const server = await startService(
    {
      ...{ ledger, store, backoff, registration, forwarder },
      wallet: undefined,
      nodeStatus: statusOf(runtime, ledger, held),
      nodeNumber: configuration.nodeNumber ?? nodeNumberOf(ledger.parameters.genesis, held),
      headLag: runtime.headLag,
      localOrigins: false,
      writes: runtime.writes,
      health: () => runtime.health(),
      blockFeed: blockFeedOf(store),
    },
    configuration,
    events,
    closers,
  );
  // Before the server, so that the server does not wait for other nodes.
  closers.add(() => forwarder?.close());
  // Before the start, which may fail halfway.
  closers.add(() => runtime.close());
  runtime.start();
  const description = {
    ...describeService(configuration, server.url, ledger),
    mode: 'node' as const,
    dataDir: folder.path,
    /** Seconds between two blocks. */
    blockInterval,
    /** Producers of the genesis with a key in this node. */
    producers: held.producers.map(({ account }) => account),
    keys: [...held.producers, ...held.registrars].map(({ account, keys: { publicKey } }) => ({
      account,
      publicKey,
    })),
    /** True if the node registers accounts. */
    registers: registration !== undefined,
    follow,
    /** The servers of its block log, without credentials; undefined without one. */
    log: blockLog?.log.url,
  };
  // Closing stops block production, then requests, then the store. It may be called again.
  return { url: server.url, port: server.port, description, ledger, close: () => closers.close() };
}

/** Returns the status of a node. Its peers are followed nodes, and with a block log the other active producers. */
function statusOf(runtime: NodeRuntime, ledger: Ledger, { producers }: NodeKeys): NodeStatus {
  const { status } = runtime;
  const own = producers.map(({ account }) => account);
  const seen = producersSeen(ledger, own);
  const isResponding = (log: BlockLogStatus | undefined): boolean =>
    log !== undefined && log.silentSeconds * 1_000 <= BLOCK_LOG_SILENCE_MS_MAX;
  return {
    ...status,
    peerCount: () => status.peerCount() + (isResponding(status.blockLog?.()) ? seen() : 0),
  };
}

/** Opens the files of a node's folder and the ledger. */
async function openChain(
  { dataDir, genesisFile, keysFolder, history, undoBlocks, blobRetention, log, prices }: NodeConfiguration,
  events: NodeEvents,
  closers: Closers,
) {
  const folder = dataFolderAt(dataDir);
  // Nothing is written before the configuration is checked.
  const genesis = findGenesis(folder, genesisFile);
  const held = loadKeys(folder, keysFolder, genesis);
  requireBlockLog(held, genesis, log);
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
    blobRetention,
    signatureThreads: openSignatureThreads(events, closers),
    production: productionOf(held, log),
    mining: true,
    prices,
  });
  requireGenesisTime(ledger, genesis);
  storeGenesis(folder, genesis);
  return { folder, store, ledger, held, signed };
}

/** Rejects a node with the keys of some producers but without a block log to order blocks. @throws KeyFileError */
function requireBlockLog({ producers }: NodeKeys, genesis: Genesis, log: NodeConfiguration['log']): void {
  const held = new Set(producers.map(({ account }) => account));
  const missing = genesis.producers.filter((producer) => !held.has(producer));
  if (log !== undefined || held.size === 0 || missing.length === 0) return;
  throw new KeyFileError(
    `the keys of the producers ${missing.map(formatAccountId).join(', ')} are missing here: nodes with different ` +
      'producers need a shared block log, which --log names; a node without producer keys can follow by --follow',
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

/** Rejects a genesis file with another time, which is part of block 0 but not of the chain id. */
function requireGenesisTime(ledger: Ledger, { timestamp }: Genesis): void {
  if (ledger.parameters.genesis.timestamp === timestamp) return;
  const [stored, given] = [ledger.parameters.genesis.timestamp, timestamp].map(formatTime);
  throw new GenesisFileError(`the stored chain began at ${stored}Z, and the genesis file has ${given}Z`);
}

/** Returns the number of a node among several producers: the position of the first one with a key here, from 1. */
function nodeNumberOf({ producers }: Genesis, held: NodeKeys): number | undefined {
  const accounts = new Set(held.producers.map(({ account }) => account));
  const own = producers.findIndex((producer) => accounts.has(producer));
  return producers.length > 1 && own >= 0 ? own + 1 : undefined;
}

/** Discards records of signatures after the newest block, if the operator names that block. */
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
      `--sign-again-after names block ${signAgainAfter}, but the newest block is ${number}: nothing was changed`,
    );
  }
  signed.truncate(number);
  events.onNotice?.({ kind: 'signingSetBack', after: number, last });
}

/** Opens registration on a node that makes blocks or has a block log, with a registrar key that can sign alone. */
function openRegistrationService(
  ledger: Ledger,
  { producers, registrars }: NodeKeys,
  difficulty: number,
  hasBlockLog: boolean,
): RegistrationService | undefined {
  const active = ledger.accounts.account(ledger.parameters.registrar)?.active;
  const suffices = ({ keys }: StoredKey): boolean =>
    active?.keyAuths.some(
      ([key, weight]) => equalBytes(key, keys.publicKey) && weight >= active.weightThreshold,
    ) ?? false;
  const registrar = registrars.find(suffices);
  if (registrar === undefined || (producers.length === 0 && !hasBlockLog)) return undefined;
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
