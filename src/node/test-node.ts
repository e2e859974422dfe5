import { existsSync } from 'node:fs';
import {
  createTestGenesis,
  Ledger,
  networkOf,
  RegistrationDesk,
  systemClock,
  TestChain,
} from '../ledger/index.ts';
import { BLOCK_INTERVAL_SECONDS_DEFAULT, FIRST_ACCOUNT_INSTANCE } from '../limits.ts';
import { LongWork } from '../long-work.ts';
import { accountId, createKeyPair, type KeyPair } from '../protocol/index.ts';
import type { Dispatcher } from '../rpc/index.ts';
import { openStore, type Store } from '../store/index.ts';
import { systemTime } from '../time.ts';
import {
  deriveProducerSeed,
  deriveTestAccounts,
  type TestAccount,
  Wallet,
  walletFileAt,
  walletLocks,
} from '../wallet/index.ts';
import { chainDumpsOf } from './archive/chain-dumps.ts';
import { type BlockTimer, overdueProblems, startBlockTimer } from './block-timer.ts';
import { type Closers, openAll } from './closers.ts';
import { requireSafeHost, type TestNodeConfiguration } from './configuration.ts';
import { type DataFolder, dataFolderAt, openDataFolder } from './data-folder.ts';
import { describeTestNode, type TestNodeDescription } from './description.ts';
import { DataFolderError } from './errors.ts';
import { migrationNotices, type NodeEvents } from './events.ts';
import { lockFolder } from './folder-lock.ts';
import { LedgerWork } from './ledger-work.ts';
import { startService, tellOf } from './service.ts';
import { WriteHealth } from './write-health.ts';

/** A running node in test mode. */
export interface TestNode {
  /** Where it listens, such as `http://127.0.0.1:8545`. */
  readonly url: string;
  readonly port: number;
  readonly description: TestNodeDescription;
  readonly ledger: Ledger;
  readonly wallet: Wallet;
  /** Answers JSON-RPC without the server. */
  readonly dispatcher: Dispatcher;
  /** Stops everything in order: no more blocks, no more requests, then the store. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts a node in test mode: store, ledger, wallet and server, and production by time where it is asked for.
 *
 * @throws UnsafeHostError for a host that other machines reach, without permission for it
 * @throws DataFolderError, StoreError, WalletFileError, GenesisMismatchError, InvalidGenesisError, and what
 *   listening throws; everything that was opened is closed then
 */
export async function startTestNode(
  configuration: TestNodeConfiguration,
  events: NodeEvents = {},
): Promise<TestNode> {
  requireSafeHost(configuration);
  return openAll((closers) => openTestNode(configuration, events, closers));
}

async function openTestNode(
  configuration: TestNodeConfiguration,
  events: NodeEvents,
  closers: Closers,
): Promise<TestNode> {
  const folder = configuration.dataDir === undefined ? undefined : openTestFolder(configuration.dataDir);
  if (folder !== undefined) closers.add(await lockFolder(folder.path));
  const store = openStoreIn(folder, configuration.history, events);
  closers.add(() => store.close());
  const accounts = deriveTestAccounts(configuration.seed, configuration.accounts);
  const producer = createKeyPair(deriveProducerSeed(configuration.seed));
  const ledger = await openLedger(configuration, store, accounts, producer);
  tellOf(ledger, events);
  const genesisAccounts = accounts.map((account, index) => ({
    ...account,
    id: accountId(FIRST_ACCOUNT_INSTANCE + index),
  }));
  const wallet = new Wallet(ledger, genesisAccounts, {
    time: systemTime,
    registrar: { id: ledger.registrar, keys: producer },
    storage: folder === undefined ? undefined : walletFileAt(folder.wallet),
  });
  const testChain = new TestChain(ledger, store, [walletLocks(wallet)]);
  const registration = new RegistrationDesk(ledger, producer, {
    difficulty: configuration.registrationDifficulty,
  });
  const writes = new WriteHealth(ledger, events);
  let timer: BlockTimer | undefined;
  const problems = (): string[] => [...writes.problems(), ...overdueProblems(timer)];
  // Pages on this machine may use test mode without being listed.
  const longWork = new LongWork(systemTime);
  const parts = {
    ...{ ledger, store, longWork, wallet, testChain, registration, writes, problems },
    dumps: chainDumpsOf({ store, testChain }),
    localOrigins: true,
  };
  const { url, port, dispatcher } = await startService(parts, configuration, events, closers);
  const work = workOn(ledger, longWork, configuration, events);
  timer = startTimer(configuration, ledger, work, (error) => {
    writes.note(error);
    events.onInternalFailure?.('block production', error);
  });
  closers.add(() => work.close());
  closers.add(() => timer?.stop());
  const description = describeTestNode(configuration, url, ledger, genesisAccounts, folder?.path);
  return { url, port, description, ledger, wallet, dispatcher, close: () => closers.close() };
}

/** Starts to work on what waits for blocks. */
function workOn(
  ledger: Ledger,
  longWork: LongWork,
  { blockTime }: TestNodeConfiguration,
  events: NodeEvents,
): LedgerWork {
  const work = new LedgerWork({
    ledger,
    time: systemTime,
    longWork,
    intervalMs: (blockTime ?? BLOCK_INTERVAL_SECONDS_DEFAULT) * 1_000,
    onFailure: (error) => events.onInternalFailure?.('pending transactions', error),
  });
  work.start();
  return work;
}

/** Starts to make blocks by time, where they are not made for every transaction. */
function startTimer(
  { blockTime }: TestNodeConfiguration,
  ledger: Ledger,
  work: LedgerWork,
  onFailure: (error: unknown) => void,
): BlockTimer | undefined {
  if (blockTime === undefined) return undefined;
  return startBlockTimer({
    ledger: {
      head: () => ledger.head(),
      onBlock: (listener) => ledger.onBlock(listener),
      onForgotten: (listener) => ledger.onForgotten(listener),
      mine: () => work.mine(),
    },
    time: systemTime,
    intervalMs: blockTime * 1_000,
    mayProduce: () => ledger.isMining(),
    onFailure,
  });
}

/** @throws DataFolderError when it cannot be used, or belongs to a persistent node */
function openTestFolder(path: string): DataFolder {
  const { genesis, path: absolute } = dataFolderAt(path);
  if (existsSync(genesis)) {
    throw new DataFolderError(
      'nodeChain',
      `the data folder ${absolute} is a persistent node's (it has a genesis.json): start it without --test, or ` +
        'name another folder for test mode',
    );
  }
  return openDataFolder(path);
}

function openStoreIn(
  folder: DataFolder | undefined,
  history: boolean | undefined,
  events: NodeEvents,
): Store {
  if (folder === undefined) return openStore({ durable: false, history });
  const onMigration = migrationNotices(events, systemTime);
  return openStore({ path: folder.store, durable: true, history, onMigration });
}

function openLedger(
  configuration: TestNodeConfiguration,
  store: Store,
  accounts: readonly TestAccount[],
  producer: KeyPair,
): Promise<Ledger> {
  const { hardfork, balance, blockTime, mining } = configuration;
  const network = networkOf(configuration.network);
  const timestamp = systemClock.now();
  const producerKey = producer.publicKey;
  return Ledger.open({
    store,
    // A chain that is there keeps the time of its own genesis.
    genesis: createTestGenesis({ network, hardfork, accounts, balance, producerKey, timestamp }),
    clock: systemClock,
    keys: [producer],
    production: blockTime === undefined ? 'instant' : 'onDemand',
    mining,
  });
}
