import {
  type BlockSummary,
  createTestGenesis,
  type DroppedTransaction,
  Ledger,
  RegistrationDesk,
  systemClock,
} from '../ledger/index.ts';
import { FIRST_ACCOUNT_INSTANCE } from '../limits.ts';
import { accountId, createKeyPair, type KeyPair } from '../protocol/index.ts';
import { createDispatcher, type Dispatcher, type RpcContext } from '../rpc/index.ts';
import { startServer } from '../server/index.ts';
import { openStore, type Store } from '../store/index.ts';
import {
  deriveProducerSeed,
  deriveTestAccounts,
  type TestAccount,
  Wallet,
  walletFileAt,
} from '../wallet/index.ts';
import { startBlockTimer } from './block-timer.ts';
import { Closers } from './closers.ts';
import { requireSafeHost, type TestNodeConfiguration } from './configuration.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { describeNode, type NodeDescription } from './description.ts';
import { lockFolder } from './folder-lock.ts';
import { VERSION } from './version.ts';

/** What a node tells of while it runs. No listener may throw. */
export interface TestNodeEvents {
  /** A block was stored. */
  onBlock?(block: BlockSummary): void;
  /** A pending transaction is no longer valid. */
  onDropped?(dropped: DroppedTransaction): void;
  /** A call failed; the message is the caller's. */
  onFailedCall?(method: string, message: string): void;
  /** The node itself failed, in the named method or task; the error is for the operator alone. */
  onInternalFailure?(task: string, error: unknown): void;
}

/** A running node in test mode. */
export interface TestNode {
  /** Where it listens, such as `http://127.0.0.1:8545`. */
  readonly url: string;
  readonly port: number;
  readonly description: NodeDescription;
  readonly ledger: Ledger;
  readonly wallet: Wallet;
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
  events: TestNodeEvents = {},
): Promise<TestNode> {
  requireSafeHost(configuration);
  const closers = new Closers();
  try {
    return await openAll(configuration, events, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function openAll(
  configuration: TestNodeConfiguration,
  events: TestNodeEvents,
  closers: Closers,
): Promise<TestNode> {
  const folder = configuration.dataDir === undefined ? undefined : openDataFolder(configuration.dataDir);
  if (folder !== undefined) closers.add(await lockFolder(folder.path));
  const store = openStoreIn(folder, configuration.history);
  closers.add(() => store.close());
  const accounts = deriveTestAccounts(configuration.seed, configuration.accounts);
  const producer = createKeyPair(deriveProducerSeed(configuration.seed));
  const ledger = await openLedger(configuration, store, accounts, producer);
  const genesisAccounts = accounts.map((account, index) => ({
    ...account,
    id: accountId(FIRST_ACCOUNT_INSTANCE + index),
  }));
  const wallet = new Wallet(ledger, genesisAccounts, {
    now: () => performance.now(),
    registrar: { id: ledger.registrar, keys: producer },
    storage: folder === undefined ? undefined : walletFileAt(folder.wallet),
  });
  const { registrationDifficulty } = configuration;
  const registration = new RegistrationDesk(ledger, producer, { difficulty: registrationDifficulty });
  ledger.onBlock((block) => events.onBlock?.(block));
  ledger.onDropped((dropped) => events.onDropped?.(dropped));
  const { host, port, allowedHosts, allowedOrigins, limits } = configuration;
  const server = await startServer({
    dispatcher: dispatcherFor({ ledger, wallet, registration }, configuration, events),
    host,
    port,
    allowedHosts,
    allowedOrigins,
    // Pages on this machine may use test mode without being listed.
    loopbackOrigins: true,
    limits: { bodyBytesMax: limits.bodyBytes },
  });
  closers.add(() => server.close());
  // Before the server, so that the server does not wait for blocks that do not come.
  closers.add(() => registration.close());
  if (configuration.blockTime !== undefined) {
    const report = (error: unknown) => events.onInternalFailure?.('block production', error);
    closers.add(startBlockTimer(ledger, configuration.blockTime, report));
  }
  const description = describeNode(configuration, server.url, ledger, genesisAccounts, folder?.path);
  return { url: server.url, port: server.port, description, ledger, wallet, close: () => closers.close() };
}

function openStoreIn(folder: DataFolder | undefined, history: boolean): Store {
  return folder === undefined
    ? openStore({ durable: false, history })
    : openStore({ path: folder.store, durable: true, history });
}

function openLedger(
  configuration: TestNodeConfiguration,
  store: Store,
  accounts: readonly TestAccount[],
  producer: KeyPair,
): Promise<Ledger> {
  const { network, hardfork, balance, blockTime, mining } = configuration;
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

function dispatcherFor(
  served: Pick<RpcContext, 'ledger' | 'wallet' | 'registration'>,
  configuration: TestNodeConfiguration,
  events: TestNodeEvents,
): Dispatcher {
  const { batchRequests, callGas, logs, filterTimeout } = configuration.limits;
  return createDispatcher({
    ...served,
    version: VERSION,
    limits: {
      batchRequestsMax: batchRequests,
      callGasMax: callGas,
      logsMax: logs,
      filterTimeoutSeconds: filterTimeout,
    },
    onFailure: (method, error) => events.onInternalFailure?.(method, error),
    onFailedCall: (method, message) => events.onFailedCall?.(method, message),
  });
}
