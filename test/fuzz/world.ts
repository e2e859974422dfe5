import { type Abi, encodeDeployData, type Hex } from 'viem';
import { FIRST_ACCOUNT_INSTANCE } from '../../src/consensus.ts';
import { ArtifactRegistry } from '../../src/contracts/index.ts';
import { ethereumGenesis, ethereumKey, MOVING_FEES } from '../../src/ledger/ethereum.testing.ts';
import {
  type Inclusion,
  InclusionWatch,
  type Ledger,
  RegistrationService,
  rootOfEntries,
  TestChain,
} from '../../src/ledger/index.ts';
import { openTestLedger, testGenesis } from '../../src/ledger/ledger.testing.ts';
import { chainDumpsOf } from '../../src/node/archive/chain-dumps.ts';
import { TestChainControl } from '../../src/node/index.ts';
import {
  accountAddress,
  accountId,
  bytesToHex,
  type ContractId,
  createKeyPair,
  type KeyPair,
  LatticeAccumulator,
  toPrefixedHex,
  toSeed,
} from '../../src/protocol/index.ts';
import {
  type BlockOrder,
  type Caller,
  type ChainControl,
  createDispatcher,
  type Dispatcher,
  type ProfileId,
} from '../../src/rpc/index.ts';
import { CpuBackoff } from '../../src/scheduling/index.ts';
import { startServer } from '../../src/server/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { systemTime, type Time } from '../../src/time/time.ts';
import {
  deriveProducerSeed,
  deriveTestAccounts,
  EthereumWallet,
  Wallet,
  walletParts,
} from '../../src/wallet/index.ts';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';

/** Keys of Ethereum's that the world signs for. */
export const ETHEREUM_KEYS = 4;
/** The keys of a world are derived from this text, and so are the same in each. */
const SEED_TEXT = 'fuzzed';
const ACCOUNTS = 8;
const BALANCE = 10n ** 15n;
/** Zero bits of a proof of work: few, as the fuzzer solves them by the way. */
const REGISTRATION_DIFFICULTY = 4;
const GENESIS_TIME = 1_800_000_000;
/** Blocks that one request may have made. */
const MINED_BLOCKS = 30;

/** An account whose key signs the fuzzer's native transactions. */
export interface Signer {
  readonly instance: number;
  readonly keys: KeyPair;
}

/** A contract that calls go to. */
export interface DeployedContract {
  /** `0x` and 40 digits. */
  readonly address: Hex;
  readonly id: ContractId;
  readonly abi: Abi;
}

/** A node with objects for all kinds of requests; its clock is moved only by requests. */
export interface World {
  /** Profile whose methods are called: `/ethereum` on a chain with Ethereum. */
  readonly profile: ProfileId;
  readonly dispatcher: Dispatcher;
  /** The caller in this process, with notifications as over a WebSocket. */
  readonly caller: Caller & {
    readonly notifications: NonNullable<Caller['notifications']>;
    responded(): void;
  };
  /** URL of the same dispatcher over HTTP. */
  readonly url: string;
  readonly ledger: Ledger;
  readonly store: Store;
  readonly testChain: TestChain;
  readonly control: ChainControl;
  readonly wallet: Wallet;
  readonly registration: RegistrationService;
  readonly signers: readonly Signer[];
  readonly contracts: readonly DeployedContract[];
  /** The chain as it began, as `anvil_loadState` takes it. */
  readonly dump: string;
  /** Failures of the node itself since the last time they were taken, with stacks. */
  takeFailures(): readonly unknown[];
  advanceClock(seconds: number): void;
  /** Returns in one text everything except the store that a rejected request must not change. */
  fingerprint(): string;
  /** Computes the state root from every entry of the store: `0x` and 64 digits. */
  scannedRoot(): string;
  /** The state root that the head block commits to, or of patches after it the accumulator. */
  committedRoot(): string;
  close(): Promise<void>;
}

/** Waits no longer than the fuzzer has time for, whatever the time-out. */
class ImpatientWatch extends InclusionWatch {
  override wait(...[transaction, hash]: Parameters<InclusionWatch['wait']>): Promise<Inclusion> {
    return super.wait(transaction, hash, 1);
  }
}

/** Makes only a few blocks when many are requested. */
class HurriedControl extends TestChainControl {
  override mine(order: BlockOrder): void | Promise<void> {
    return super.mine({ ...order, count: Math.min(order.count, MINED_BLOCKS) });
  }
}

/** Opens a fresh node with two contracts. */
export async function openWorld(contracts: WorldContracts, profile: ProfileId = 'ledger'): Promise<World> {
  const store = openStore({ durable: false, history: true });
  const clock = { seconds: GENESIS_TIME, now: () => clock.seconds };
  const producer = createKeyPair(deriveProducerSeed(SEED_TEXT));
  const accounts = deriveTestAccounts(SEED_TEXT, ACCOUNTS);
  const { publicKey: producerKey } = producer;
  const { ethereum } = profile === 'ledger' ? {} : ethereumGenesis({ features: MOVING_FEES });
  const genesis = testGenesis({ accounts, balance: BALANCE, producerKey, timestamp: GENESIS_TIME, ethereum });
  const { ledger } = await openTestLedger({ store, genesis, clock, keys: [producer] });
  const genesisAccounts = accounts.map(({ seed }, index) => ({
    id: accountId(FIRST_ACCOUNT_INSTANCE + index),
    seed,
  }));
  const time = { ...systemTime, now: () => clock.seconds * 1_000 };
  const registrar = { id: ledger.parameters.registrar, keys: producer };
  const wallet = new Wallet(ledger, genesisAccounts, { time, registrar });
  const keys = keysOf(profile, time);
  const service = { difficulty: REGISTRATION_DIFFICULTY, time };
  const registration = new RegistrationService(ledger, producer, service);
  const failures: unknown[] = [];
  const control = controlOf(ledger, time, (error) => failures.push(error));
  const testChain = new TestChain(ledger, store, {
    parts: walletParts(wallet, keys),
    onRestored: () => control.noteRestored(),
  });
  const dumps = chainDumpsOf({ ledger, store, testChain, producer, onBalanceCut: () => undefined });
  const dispatcher = createDispatcher({
    ledger,
    control,
    inclusions: new ImpatientWatch(ledger),
    wallet,
    ...{ keys, testChain, dumps, registration },
    artifacts: new ArtifactRegistry(),
    time,
    version: '0.0.0',
    onFailure: (_method, error) => failures.push(error),
  });
  const access = { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [], localOrigins: true };
  const { blocks, chain } = ledger;
  const head = { number: () => blocks.head().number, onChange: chain.onBlock.bind(chain) };
  const server = await startServer({ ...access, root: 'ledger', head, dispatcher, port: 0 });
  const deployed = deployContracts(ledger, wallet, contracts);
  return {
    caller: callerWith((failure) => failures.push(failure)),
    profile,
    url: profile === 'ledger' ? server.url : `${server.url}/ethereum`,
    ...{ dispatcher, ledger, store, testChain, control },
    wallet,
    registration,
    signers: genesisAccounts.map(({ id, seed }) => ({ instance: id, keys: createKeyPair(seed) })),
    contracts: deployed,
    dump: toPrefixedHex(await dumps.dump()),
    takeFailures: () => failures.splice(0),
    advanceClock: (seconds) => {
      clock.seconds += seconds;
    },
    fingerprint: () => `${fingerprintOf(ledger, wallet, control)} ${keysPrint(keys)}`,
    scannedRoot: () => toPrefixedHex(rootOfEntries(store.stateEntries())),
    committedRoot: () =>
      chain.patchCount === 0
        ? `0x${blocks.head().header.vmRoot[0]?.slice(0, 64)}`
        : toPrefixedHex(new LatticeAccumulator(store.accumulator()).digest()),
    close: async () => {
      registration.close();
      control.close();
      await server.close();
      await store.close();
    },
  };
}

function callerWith(onFailure: (failure: string) => void): World['caller'] {
  const client = 'fuzzer';
  const notify = (messages: readonly (readonly Uint8Array[])[]): void => {
    for (const parts of messages) {
      const message = String(Buffer.concat(parts));
      const { method, params } = JSON.parse(message);
      if (method !== 'eth_subscription' || params?.result === undefined) onFailure(`it was told ${message}`);
    }
  };
  const disconnect = (reason: string): void => onFailure(`it was given up: ${reason}`);
  const callbacks: (() => void)[] = [];
  return {
    client,
    notifications: {
      subscriber: { client, notify, isBehind: () => false, disconnect },
      afterResponse: (callback) => callbacks.push(callback),
    },
    responded: () => {
      for (const callback of callbacks.splice(0)) callback();
    },
  };
}

function controlOf(ledger: Ledger, time: Time, onFailure: (error: unknown) => void): TestChainControl {
  const control = new HurriedControl({
    // Blocks at intervals would come at different times in each run.
    ...{ ledger, time: { ...time, after: () => () => undefined }, backoff: new CpuBackoff(time) },
    storage: undefined,
    setLogging: () => undefined,
    onFailure: (_task, error) => onFailure(error),
  });
  control.start();
  return control;
}

/** Compiled contracts that every world begins with, in the order of their deployment. */
export interface WorldContracts {
  readonly probe: CompiledContract;
  readonly token: CompiledContract;
}

/** Compiles them. */
export async function compileWorldContracts(): Promise<WorldContracts> {
  const [probe, token] = await Promise.all([compileContract('Probe'), compileContract('Token')]);
  return { probe, token };
}

function deployContracts(
  ledger: Ledger,
  wallet: Wallet,
  { probe, token }: WorldContracts,
): DeployedContract[] {
  const from = accountAddress(accountId(FIRST_ACCOUNT_INSTANCE));
  const supply = encodeDeployData({ ...token, args: ['Fuzzed Token', 'FT', 10n ** 24n] });
  const deploy = (code: Hex, abi: Abi): DeployedContract => {
    wallet.send({ from, data: Buffer.from(code.slice(2), 'hex') });
    const address = ledger.blocks.receiptOf(ledger.blocks.head().number, 0)?.contractAddress;
    const id = address === undefined ? undefined : ledger.accounts.contractIdAt(address);
    if (address === undefined || id === undefined) throw new Error('the contract was not created');
    return { address: toPrefixedHex(address), id, abi };
  };
  return [deploy(probe.bytecode, probe.abi), deploy(supply, token.abi)];
}

/** The wallet of Ethereum's keys, of which a chain without it has none. */
function keysOf(profile: ProfileId, time: Time): EthereumWallet {
  const seeds = Array.from({ length: ETHEREUM_KEYS }, (_, index) => toSeed(ethereumKey(index)));
  return new EthereumWallet(profile === 'ethereum' ? seeds : [], { time });
}

/** Summarises the keys, and which are unlocked, whatever their remaining time. */
function keysPrint(keys: EthereumWallet): string {
  const { locks = {} } = keys.changes() ?? {};
  const named = Object.entries(locks).map(([name, left]) => `${name}${left === 0 ? 'l' : 'u'}`);
  return [...keys.list().map(bytesToHex), ...named].join();
}

function fingerprintOf(ledger: Ledger, wallet: Wallet, control: ChainControl): string {
  const { number, id } = ledger.blocks.head();
  const pending = ledger.pool.pendingOperations().map(({ hash }) => bytesToHex(hash));
  const locks = wallet.records().map(({ locked }) => (locked ? 'l' : 'u'));
  const { gasLimit, ...state } = control.state;
  const settings = JSON.stringify({ ...state, gasLimit: String(gasLimit) });
  const { impersonated, auto } = wallet.impersonation.state;
  const wallets = [locks.join(''), impersonated.join(), auto];
  const { patchCount } = ledger.chain;
  return [
    number,
    bytesToHex(id),
    patchCount,
    pending.join(),
    ledger.miner.isMining(),
    settings,
    ...wallets,
  ].join(' ');
}
