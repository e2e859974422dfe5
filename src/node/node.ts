import { dirname } from 'node:path';
import {
  chainIdOf,
  chooseGenesis,
  type Genesis,
  Ledger,
  RegistrationService,
  systemClock,
} from '../ledger/index.ts';
import { type AccountId, equalBytes, formatAccountId, formatTime, invariant } from '../protocol/index.ts';
import type { NodeStatus } from '../rpc/index.ts';
import { CpuBackoff } from '../scheduling/index.ts';
import { Followers } from '../server/index.ts';
import { openStore } from '../store/index.ts';
import { systemTime } from '../time/time.ts';
import type { OpenedBlockLog } from './block-log/block-log.ts';
import { isResponding } from './block-log/block-log-health.ts';
import { type Closers, openAll } from './closers.ts';
import type { NodeConfiguration } from './configuration.ts';
import { type DataFolder, dataFolderAt, openDataFolder } from './data-folder.ts';
import { describeService } from './description.ts';
import type { NodeEvents } from './events.ts';
import { lockFolder } from './folder-lock.ts';
import { httpBlockSource } from './following/fetch-blocks.ts';
import { watchForwarded } from './following/forwarded-transactions.ts';
import { HttpForwarder } from './following/forwarder.ts';
import { findGenesis, hasChain, storeGenesis } from './genesis-file.ts';
import { loadKeys, type NodeKeys, type StoredKey } from './keys/key-file.ts';
import { SignedRecords } from './keys/signed-records.ts';
import { GenesisFileError, KeyFileError } from './node-errors.ts';
import type { ProducerKeyFiles } from './producer-watch.ts';
import { producersSeen } from './producers-seen.ts';
import { NodeRuntime } from './runtime.ts';
import { forwardNotifications, openSignatureThreads, startService } from './service.ts';
import { freeBytesAt } from './space-watch.ts';
import { blockFeedOf } from './stored-block-feed.ts';

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
    ledger,
    blockLog,
    backoff,
    produceWithoutHearing,
    minFreeBytes,
    maxLag,
    events,
    intervalMs: blockInterval * 1_000,
    follow: follow.map(httpBlockSource),
    time: systemTime,
    freeBytes: () => freeBytes(folder.path),
    keyFiles: keyFilesOf(configuration, folder, ledger, held, signed),
  });
  const registration = openRegistrationService(
    ledger,
    held,
    configuration.registrationDifficulty,
    blockLog !== undefined,
  );
  const forwarder = forwarderOf(configuration, held);
  const followers = new Followers(systemTime);
  const server = await startService(
    {
      ledger,
      store,
      backoff,
      registration,
      forwarder,
      wallet: undefined,
      localOrigins: false,
      nodeStatus: statusOf(runtime, ledger, held, followers),
      nodeNumber: configuration.nodeNumber ?? nodeNumberOf(ledger.parameters.genesis, held),
      headLag: runtime.headLag,
      writes: runtime.writes,
      health: () => runtime.health(),
      producers: () => runtime.producers.list(),
      blockFeed: blockFeedOf(store),
      followers,
    },
    configuration,
    events,
    closers,
  );
  // Before the server, so that the server does not wait for other nodes.
  if (forwarder !== undefined) closers.add(forwarding(forwarder, ledger, events));
  // Before the start, which may fail halfway.
  closers.add(() => runtime.close());
  runtime.start();
  const description = {
    ...describeService(configuration, server.url, ledger),
    mode: 'node' as const,
    dataDir: folder.path,
    /** Seconds between two blocks. */
    blockInterval,
    ...describeKeys(held),
    /** True if the node registers accounts. */
    registers: registration !== undefined,
    follow,
    /** The servers of its block log, without credentials; undefined without one. */
    log: blockLog?.log.url,
  };
  // Closing stops block production, then requests, then the store. It may be called again.
  return { url: server.url, port: server.port, description, ledger, close: () => closers.close() };
}

function describeKeys({ producers, registrars }: NodeKeys) {
  return {
    /** Producers of the genesis with a key in this node. */
    producers: accountsOf(producers),
    keys: [...producers, ...registrars].map(({ account, keys: { publicKey } }) => ({ account, publicKey })),
  };
}

/**
 * Returns the status of a node. Its peers are followed nodes, its followers, and with a block log the other active
 * producers.
 */
function statusOf(
  runtime: NodeRuntime,
  ledger: Ledger,
  { producers }: NodeKeys,
  followers: Followers,
): NodeStatus {
  const { status } = runtime;
  const own = producers.map(({ account }) => account);
  const seen = producersSeen(ledger, own);
  const isConnected = (): boolean => {
    const log = status.blockLog?.();
    return log !== undefined && isResponding(log);
  };
  return {
    ...status,
    peerCount: () => status.peerCount() + followers.count + (isConnected() ? seen() : 0),
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
  if (!hasChain(folder)) requireBlockLog(held, genesis, log);
  openDataFolder(dataDir);
  closers.add(await lockFolder(folder.path));
  // Two nodes with one key would sign two blocks of one number.
  for (const path of new Set(held.producers.map((key) => dirname(key.path)))) {
    closers.add(await lockFolder(path));
  }
  const keeping = { history, historyOfNewFile: false, undoBlocks };
  const store = openStore({ path: folder.store, durable: true, ...keeping });
  closers.add(() => store.close());
  // An edited genesis file is reported as such, not by what keys and records lack for it.
  chooseGenesis(store, genesis);
  requireBlockLog(held, genesis, log);
  const signed = SignedRecords.open(held.producers, chainIdOf(genesis));
  closers.add(() => signed.close());
  const ledger = await Ledger.open({
    store,
    genesis,
    clock: systemClock,
    keys: held.producers.map(({ keys }) => keys),
    signed,
    blobRetention,
    signatureThreads: openSignatureThreads(events, closers),
    mining: miningOf(held, log),
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
      'producers need a shared block log, which --block-log names; a node without producer keys can follow by --follow',
  );
}

function miningOf({ producers }: NodeKeys, log: NodeConfiguration['log']): 'scheduled' | 'interval' | 'none' {
  if (log !== undefined) return 'scheduled';
  return producers.length > 0 ? 'interval' : 'none';
}

/** Returns the key files from which a node loads the key that the chain names. */
function keyFilesOf(
  { keysFolder }: NodeConfiguration,
  folder: DataFolder,
  ledger: Ledger,
  held: NodeKeys,
  signed: SignedRecords,
): ProducerKeyFiles {
  return {
    producers: accountsOf(held.producers),
    folder: keysFolder ?? folder.keys,
    load: (publicKey) => {
      const { producers } = loadKeys(folder, keysFolder, ledger.parameters.genesis);
      const stored = producers.find(({ keys }) => equalBytes(keys.publicKey, publicKey));
      if (stored === undefined) return false;
      signed.add(stored);
      ledger.miner.keys.add(stored.keys);
      return true;
    },
  };
}

/** Lists the accounts of keys, each once: an account has several while its key changes. */
function accountsOf(keys: readonly StoredKey[]): AccountId[] {
  return [...new Set(keys.map(({ account }) => account))];
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

/** Watches forwarded transactions. Returns the function that ends this, and the requests in flight. */
function forwarding(forwarder: HttpForwarder, ledger: Ledger, events: NodeEvents): () => void {
  const stop = watchForwarded(ledger, forwarder, systemTime, (error) =>
    events.onInternalFailure?.('forwarded transactions', error),
  );
  return () => {
    stop();
    forwarder.close();
  };
}

/** Returns the forwarder of a node that can only follow others. */
function forwarderOf({ follow, log }: NodeConfiguration, { producers }: NodeKeys): HttpForwarder | undefined {
  const onlyFollows = producers.length === 0 && log === undefined && follow.length > 0;
  return onlyFollows ? new HttpForwarder(follow) : undefined;
}

function reportKeys({ producers, registrars, unused }: NodeKeys, events: NodeEvents): void {
  events.onNotice?.({
    kind: 'keysLoaded',
    producers: accountsOf(producers),
    registrar: registrars.length > 0,
  });
  for (const { account, path } of unused) events.onNotice?.({ kind: 'keyUnused', account, path });
}
