import { SharedBound } from '../caching/bounded-map.ts';
import { lazily } from '../caching/lazily.ts';
import { ArtifactRegistry, watchFolder } from '../contracts/index.ts';
import type { PinnedBlock } from '../fork/index.ts';
import {
  chainIdOf,
  createTestGenesis,
  type EthereumGenesis,
  firstMining,
  type Genesis,
  Ledger,
  type LedgerOptions,
  type Mining,
  mainnetBlobSchedule,
  movingFees,
  RegistrationService,
  type SignatureThreads,
  storedGenesis,
  systemClock,
  TestChain,
} from '../ledger/index.ts';
import { createKeyPair, equalBytes, type KeyPair, type Seed } from '../protocol/index.ts';
import { RESPONSE_CACHE_CHARACTERS_MAX } from '../rpc/index.ts';
import { CpuBackoff } from '../scheduling/index.ts';
import { openStore, type Store } from '../store/index.ts';
import { WRITE_SLICE_MS } from '../time/job.ts';
import { backgroundTime, systemTime } from '../time/time.ts';
import {
  deriveProducerSeed,
  deriveTestAccounts,
  EthereumWallet,
  ethereumKeyFileAt,
  evmAddressOf,
  type GenesisWalletAccount,
  Impersonation,
  impersonationFileAt,
  mnemonicKeys,
  type TestAccount,
  Wallet,
  walletFileAt,
  walletParts,
} from '../wallet/index.ts';
import { openDumps } from './archive/state-files.ts';
import { CLOCK_BEHIND_SECONDS_MAX } from './clock-watch.ts';
import { type Closers, openAll } from './closers.ts';
import {
  DEFAULT_ETHEREUM,
  networkIn,
  requireSafeHost,
  type TestEthereumConfiguration,
  type TestNodeConfiguration,
} from './configuration.ts';
import { type DataFolder, dataFolderAt, isThere, openDataFolder } from './data-folder.ts';
import { describeTestNode } from './description.ts';
import { type NodeEvents, switchableLog } from './events.ts';
import { logExecutions } from './execution-log.ts';
import { lockFolder } from './folder-lock.ts';
import { beginFork } from './fork/begin-fork.ts';
import { forkControlOf } from './fork/fork-control.ts';
import { forkGenesis } from './fork/fork-genesis.ts';
import { claimForkFolders, requireForkOf } from './fork/fork-stores.ts';
import { NodeFork } from './fork/node-fork.ts';
import type { OpenedFork } from './fork/open-fork.ts';
import { eventsOfChain, FurtherChains } from './further-chains.ts';
import { healthReport } from './health.ts';
import { DataFolderError } from './node-errors.ts';
import { preinstallsOf } from './preinstalls.ts';
import {
  forwardNotifications,
  type OpenedService,
  openService,
  openSignatureThreads,
  startService,
} from './service.ts';
import { controlFileAt } from './test-chain/control-file.ts';
import { type GenesisKeys, genesisKeysOf, numbered } from './test-chain/genesis-keys.ts';
import { TestChainControl, type TestChainControlOptions } from './test-chain/test-chain-control.ts';
import { WriteHealth } from './write-health.ts';

/**
 * Greatest size of the database file of a further chain (32 GiB): a process that reserves the addresses of 67 whole
 * stores ends without an error.
 */
const FURTHER_CHAIN_BYTES_MAX = 2 ** 35;

/** A running node in test mode. Its dispatcher serves JSON-RPC without the server as well. */
export type TestNode = Awaited<ReturnType<typeof startTestNode>>;

/**
 * Starts a node in test mode. On failure everything is closed.
 * @throws UnsafeHostError, DataFolderError, StoreError, WalletFileError, GenesisMismatchError, InvalidGenesisError, and
 *   the error of listening
 */
export async function startTestNode(configuration: TestNodeConfiguration, events: NodeEvents = {}) {
  requireSafeHost(configuration);
  return openAll((closers) => openTestNode(configuration, events, closers));
}

async function openTestNode(configuration: TestNodeConfiguration, events: NodeEvents, closers: Closers) {
  const shared: SharedParts = {
    artifacts: readArtifacts(configuration.artifacts, events, closers),
    signatureThreads: openSignatureThreads(events, closers),
    responseCharacters: new SharedBound(RESPONSE_CACHE_CHARACTERS_MAX),
    ...derivedParts(configuration),
  };
  const chain = await openTestChain(configuration, events, closers, shared);
  const { ledger, wallet, ethereumWallet, control, keys, folder, fork } = chain;
  // The block of the start: a reset forks one chain elsewhere.
  const further = { ...shared, pinned: fork.opened };
  const chains = new FurtherChains(
    configuration.chains,
    (number, own) => openFurtherChain(number, configuration, events, own, further),
    (task, error) => events.onInternalFailure?.(task, error),
  );
  closers.add(() => chains.close());
  const service = await startService(chain.dependencies, configuration, chain.events, closers, chains);
  closers.add(() => chains.endWaits());
  chain.begin();
  const { url, port, dispatcher, unref } = service;
  const description = describeTestNode(configuration, url, ledger, keys, folder?.path, fork);
  return {
    url,
    port,
    unref,
    description,
    ledger,
    wallet,
    ethereumWallet,
    control,
    dispatcher,
    /** Stops block production, then requests, then the store. May be called again. */
    close: () => closers.close(),
  };
}

/** Opens and begins a further chain of a node: in memory, without workers and metrics. */
async function openFurtherChain(
  number: number,
  node: TestNodeConfiguration,
  nodeEvents: NodeEvents,
  closers: Closers,
  shared: SharedParts,
): Promise<OpenedService> {
  const stateFiles = { ...node.stateFiles, dump: undefined };
  const configuration = { ...node, dataDir: undefined, workers: 0, stateFiles };
  const events = eventsOfChain(number, nodeEvents);
  const chain = await openTestChain(configuration, events, closers, shared, FURTHER_CHAIN_BYTES_MAX);
  const service = openService(chain.dependencies, configuration, chain.events, closers, false);
  service.start();
  chain.begin();
  return service;
}

/** Parts of a node that its chains share. */
interface SharedParts extends DerivedParts {
  readonly artifacts: ArtifactRegistry;
  readonly signatureThreads: SignatureThreads;
  readonly responseCharacters: SharedBound;
  /** The block that a fork continues from; absent until it is chosen. */
  readonly pinned?: PinnedBlock | undefined;
}

/** Parts that follow from the configuration of a node, derived once. */
interface DerivedParts {
  readonly producer: KeyPair;
  readonly accounts: readonly TestAccount[];
  /** Returns the funded keys of a chain with Ethereum. */
  readonly keys: () => readonly Seed[];
  /** Returns the genesis of each chain that begins with block 0. */
  readonly ownGenesis: () => Genesis;
}

function derivedParts(configuration: TestNodeConfiguration): DerivedParts {
  const { seed, accounts: count, ethereum = DEFAULT_ETHEREUM } = configuration;
  const producer = createKeyPair(deriveProducerSeed(seed));
  const accounts = deriveTestAccounts(seed, count);
  const keys = lazily(() => mnemonicKeys(ethereum.mnemonic, ethereum.derivationPath, count));
  const genesis = lazily(() => ownGenesis(configuration, { producer, accounts, keys }));
  return { producer, accounts, keys, ownGenesis: genesis };
}

/**
 * Opens a chain with all that its services need. Blocks begin with `begin`, when they are served.
 * @param bytesMax of a temporary store
 */
async function openTestChain(
  configuration: TestNodeConfiguration,
  allEvents: NodeEvents,
  closers: Closers,
  shared: SharedParts,
  bytesMax?: number,
) {
  const { artifacts, signatureThreads, responseCharacters, producer } = shared;
  const { events, setLogging, isLogging } = switchableLog(allEvents);
  const folder = configuration.dataDir === undefined ? undefined : openTestFolder(configuration.dataDir);
  if (folder !== undefined) closers.add(await lockFolder(folder.path));
  const store = openStoreIn(folder, configuration, bytesMax);
  closers.add(() => store.close());
  // The engine reports the console and the failures of executions on demand.
  const reportsExecutions = events.onConsole !== undefined || events.onFailedExecution !== undefined;
  const forkFolders = folder && (await claimForkFolders(folder, store));
  const fork = await NodeFork.open(configuration.fork, forkFolders, events, closers, shared.pinned);
  const parts = { store, reportsExecutions, signatureThreads };
  const { ledger, keys: genesisKeys } = await openLedger(configuration, parts, shared, fork.opened);
  forwardNotifications(ledger, events);
  const executions = reportsExecutions ? logExecutions(ledger, artifacts, events, isLogging) : undefined;
  const wallet = openWallet({ ledger, store }, genesisKeys.accounts, producer, folder, configuration);
  const keyFile = folder && ethereumKeyFileAt(folder.ethereumKeys, () => store.reorgCount());
  const ethereumWallet = new EthereumWallet(genesisKeys.keys, { storage: keyFile });
  onOtherGenesis(ledger, (genesis) => {
    const { accounts, keys } = genesisKeysOf(configuration, genesis);
    wallet.beginWith(accounts);
    ethereumWallet.beginWith(keys);
  });
  const registration = new RegistrationService(ledger, producer, {
    difficulty: configuration.registrationDifficulty,
  });
  const writes = new WriteHealth(ledger.chain, events, store);
  const backoff = new CpuBackoff(systemTime);
  const storage = folder && controlFileAt(folder.control, () => store.reorgCount());
  const { mixedMining: mixesMining } = configuration;
  const control = openControl({ ledger, backoff, mixesMining, storage, setLogging, fork }, writes, events);
  await beginFork(ledger, control, fork, forkFolders);
  const testChain = new TestChain(ledger, store, {
    parts: walletParts(wallet, ethereumWallet),
    storedTimes: storage,
    onRestored: () => control.noteRestored(),
    run: (job) => backoff.run(job, WRITE_SLICE_MS),
  });
  const chain = { ledger, store, testChain, producer };
  const { dumps, beginDumps } = await openDumps(chain, configuration.stateFiles, events, closers);
  const dependencies = {
    ledger,
    store,
    backoff,
    wallet,
    control,
    testChain,
    registration,
    writes,
    health: () => healthReport([writes, control], ledger),
    artifacts,
    executions,
    responseCharacters,
    keys: ethereumWallet,
    fork: forkControlOf(fork, { configuration, producer, store, testChain }),
    dumps,
    // Pages on this machine may use test mode without being listed.
    localOrigins: true,
  };
  const begin = (): void => {
    beginDumps();
    control.start();
    // A head in the future is the only sign of a clock that was set back.
    const seconds = ledger.blocks.head().header.timestamp - ledger.clock.now();
    if (seconds > CLOCK_BEHIND_SECONDS_MAX) events.onNotice?.({ kind: 'clockBehind', seconds });
    closers.add(() => control.close());
  };
  const opened = { ledger, wallet, ethereumWallet, control, keys: genesisKeys, folder, fork };
  return { ...opened, dependencies, events, begin };
}

/** Opens the control of a chain, which reports to the events of its node. */
function openControl(
  options: Omit<TestChainControlOptions, 'time' | 'onTooMuchGas' | 'onFailure'>,
  writes: WriteHealth,
  events: NodeEvents,
): TestChainControl {
  return new TestChainControl({
    ...options,
    time: backgroundTime,
    onTooMuchGas: (offered, most) => events.onNotice?.({ kind: 'gasLimitMet', offered, most }),
    onFailure: (task, error) => {
      writes.note(error);
      events.onInternalFailure?.(task, error);
    },
  });
}

/** Reads the configured folders of compiler artifacts, and watches their changes. */
function readArtifacts(folders: readonly string[], events: NodeEvents, closers: Closers): ArtifactRegistry {
  const registry = new ArtifactRegistry();
  for (const folder of folders) {
    const close = watchFolder(folder, registry, (path, reason) =>
      events.onNotice?.({ kind: 'artifactPassedOver', path, reason }),
    );
    closers.add(close);
  }
  return registry;
}

/** Opens the wallet of the native accounts in the folder. */
function openWallet(
  { ledger, store }: { readonly ledger: Ledger; readonly store: Store },
  accounts: readonly GenesisWalletAccount[],
  producer: KeyPair,
  folder: DataFolder | undefined,
  { autoImpersonate }: Pick<TestNodeConfiguration, 'autoImpersonate'>,
): Wallet {
  const reorgCount = (): number => store.reorgCount();
  const impersonated = folder && impersonationFileAt(folder.impersonation, reorgCount);
  return new Wallet(ledger, accounts, {
    time: systemTime,
    registrar: { id: ledger.parameters.registrar, keys: producer },
    storage: folder && walletFileAt(folder.wallet, reorgCount),
    impersonation: new Impersonation(impersonated, autoImpersonate),
  });
}

function miningOf({ blockTime, mining, mixedMining }: TestNodeConfiguration): Mining {
  if (blockTime === undefined) return firstMining(undefined, mining, mixedMining);
  const milliseconds = Math.round(blockTime * 1_000);
  return firstMining({ shortestMs: milliseconds, longestMs: milliseconds }, mining, mixedMining);
}

/** @throws DataFolderError for an unusable folder, or that of a persistent node */
function openTestFolder(path: string): DataFolder {
  const { genesis, path: absolute } = dataFolderAt(path);
  if (isThere(genesis)) {
    throw new DataFolderError(
      'nodeChain',
      `the data folder ${absolute} is that of a persistent node (it has a genesis.json): start it without --test, ` +
        'or name another folder for test mode',
    );
  }
  return openDataFolder(path);
}

function openStoreIn(
  folder: DataFolder | undefined,
  { history, workers }: TestNodeConfiguration,
  bytesMax: number | undefined,
): Store {
  // Workers read each block out of the file as soon as it is announced.
  const isShared = workers > 0;
  if (folder === undefined)
    return openStore({ durable: false, history, bytesMax, writesLater: isShared ? undefined : 'always' });
  const writing = { durable: true, writesLater: isShared ? undefined : 'together' } as const;
  return openStore({ path: folder.store, ...writing, history });
}

/** Returns the genesis of a chain that knows Ethereum: funded keys, and the contracts that tools expect. */
function ethereumGenesisOf(
  keys: readonly Seed[],
  chainId: number,
  { keyBalance, baseFee, blockGasLimit, hasStateTrie, codeSizeLimit }: TestEthereumConfiguration,
  hardfork: Genesis['hardfork'],
): EthereumGenesis {
  return {
    blockGasLimit,
    accounts: keys.map((key) => ({ address: evmAddressOf(key), balance: keyBalance })),
    contracts: preinstallsOf(chainId),
    features: {
      fees: movingFees(baseFee),
      blobs: mainnetBlobSchedule(hardfork),
      hasStateTrie,
      codeSizeLimit,
    },
  };
}

/** Creates the genesis of a chain that begins with block 0. An existing chain has the time of its genesis. */
function ownGenesis(
  configuration: TestNodeConfiguration,
  { producer, accounts, keys }: Pick<DerivedParts, 'producer' | 'accounts' | 'keys'>,
): Genesis {
  const { ethereum: source, hardfork, balance } = configuration;
  const network = networkIn(configuration);
  const ethereum = source && ethereumGenesisOf(keys(), network.chainId, source, hardfork);
  const common = { accounts, balance, producerKey: producer.publicKey };
  return createTestGenesis({ ...common, network, hardfork, timestamp: systemClock.now(), ethereum });
}

/** Opens the ledger, and finds the node's keys in its genesis. */
async function openLedger(
  configuration: TestNodeConfiguration,
  parts: Pick<LedgerOptions, 'store' | 'reportsExecutions' | 'signatureThreads'>,
  { producer, accounts, keys, ownGenesis }: DerivedParts,
  fork: OpenedFork | undefined,
): Promise<{ readonly ledger: Ledger; readonly keys: GenesisKeys }> {
  const { balance, prices } = configuration;
  // Every fork knows Ethereum, also one that a data folder continues.
  const source = configuration.ethereum ?? (fork && DEFAULT_ETHEREUM);
  const common = { accounts, balance, producerKey: producer.publicKey };
  const stored = storedGenesis(parts.store);
  if (fork !== undefined && stored !== undefined) requireForkOf(stored, fork.point);
  const genesis =
    fork === undefined ? ownGenesis() : (stored ?? (await forkGenesis(configuration, common, keys(), fork)));
  const ledger = await Ledger.open({
    ...parts,
    genesis,
    base: fork?.base,
    clock: systemClock,
    timeStep: configuration.timeStep,
    keys: [producer],
    mining: miningOf(configuration),
    prices,
  });
  if (!equalBytes(ledger.parameters.chainId, chainIdOf(genesis))) {
    return { ledger, keys: genesisKeysOf(configuration, ledger.parameters.genesis) };
  }
  const ethereumKeys = source === undefined ? [] : keys();
  return { ledger, keys: { accounts: numbered(accounts), keys: ethereumKeys, ethereum: source } };
}

/** Calls back after the import of a chain with another genesis. */
function onOtherGenesis(ledger: Ledger, listener: (genesis: Genesis) => void): void {
  let known = ledger.parameters.genesis;
  ledger.history.onReorg(() => {
    if (ledger.parameters.genesis === known) return;
    known = ledger.parameters.genesis;
    listener(known);
  });
}
