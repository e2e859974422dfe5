import { CODE_SIZE_LIMIT_MAX } from '../../consensus.ts';
import {
  type BlockLogSource,
  DEFAULT_CONFIGURATION,
  DEFAULT_NODE_CONFIGURATION,
  type ForkConfiguration,
  NO_BLOCK_GAS_LIMIT,
  type NodeConfiguration,
  type ServiceConfiguration,
  type StateFiles,
  type TestNodeConfiguration,
} from '../../node/index.ts';
import { invariant } from '../../protocol/index.ts';
import { UsageError } from '../command-errors.ts';
import { knowsEthereum, resolveSettings, type Settings } from './resolve.ts';
import { NODE_LOG_SETTINGS } from './service-settings.ts';
import type { LimitPath } from './setting.ts';
import type { Statement } from './sources.ts';
import { entryNamed, type SettingName, type SettingValues, TABLE } from './table.ts';

/** The default network of a test chain with Ethereum. */
const ETHEREUM_NETWORK = 'local';

export function configurationOf({ mode, values }: Settings): NodeConfiguration | TestNodeConfiguration {
  return mode === 'node' ? nodeConfiguration(values) : testConfiguration(values);
}

function nodeConfiguration(values: SettingValues): NodeConfiguration {
  const dataDir = values['data-dir'];
  invariant(dataDir !== undefined, 'node mode has a data folder');
  return {
    ...serviceConfiguration(values),
    explorer: values.explorer,
    mode: 'node',
    dataDir,
    genesisFile: values.genesis,
    keysFolder: values.keys,
    blockInterval: values['block-interval'],
    follow: values.follow.map(({ href }) => href),
    maxLag: values['max-lag'],
    nodeNumber: values['node-number'],
    log: logOf(values),
    produceWithoutHearing: values['produce-without-hearing'],
    signAgainAfter: values['sign-again-after'],
    minFreeBytes: values['min-free-space'],
    undoBlocks: values['undo-blocks'],
    blobRetention: values['blob-retention'],
  };
}

export function logOf(values: SettingValues): BlockLogSource | undefined {
  return values['block-log']?.source({
    credentialsFile: values['block-log-credentials'],
    authorityFile: values['block-log-ca'],
    replicas: values['block-log-replicas'],
    monitors: values['block-log-monitor'].map(({ href }) => href),
    assumeSynced: values['block-log-assume-synced'],
  });
}

function testConfiguration(values: SettingValues): TestNodeConfiguration {
  const isTipless = values['disable-min-priority-fee'] || values['no-priority-fee'];
  const { suggestedTip } = DEFAULT_CONFIGURATION.prices;
  const service = serviceConfiguration(values);
  const isEthereum = knowsEthereum(values);
  return {
    ...service,
    prices: { ...service.prices, suggestedTip: isTipless ? 0n : suggestedTip },
    explorer: !values['no-explorer'],
    mode: 'test',
    accounts: values.accounts,
    balance: values.balance,
    blockTime: values['block-time'],
    mining: !values['no-mining'],
    mixedMining: values['mixed-mining'],
    timeStep: values['time-step'],
    autoImpersonate: values['auto-impersonate'],
    dataDir: values['data-dir'],
    hardfork: values.hardfork,
    network: values.network ?? (isEthereum ? ETHEREUM_NETWORK : DEFAULT_CONFIGURATION.network),
    chainId: values['chain-id'],
    seed: values.seed,
    fork: forkOf(values),
    ethereum: isEthereum
      ? {
          mnemonic: values.mnemonic,
          derivationPath: values['derivation-path'],
          keyBalance: values['ethereum-balance'],
          baseFee: values['base-fee'],
          blockGasLimit: values['disable-block-gas-limit'] ? NO_BLOCK_GAS_LIMIT : values['block-gas-limit'],
          hasStateTrie: values['state-trie'],
          codeSizeLimit: values['disable-code-size-limit'] ? CODE_SIZE_LIMIT_MAX : values['code-size-limit'],
        }
      : undefined,
    stateFiles: stateFilesOf(values),
    chains: values.chains,
    artifacts: values.artifacts,
    unsafeExpose: values['unsafe-expose-test-mode'],
  };
}

function stateFilesOf(values: SettingValues): StateFiles | undefined {
  const { init, state, 'load-state': load = init ?? state, 'dump-state': dump = state } = values;
  if (load === undefined && dump === undefined) return undefined;
  return { load, isLoadOptional: state !== undefined, dump, dumpSeconds: values['state-interval'] };
}

function forkOf(values: SettingValues): ForkConfiguration | undefined {
  const { fork } = values;
  if (fork === undefined) return undefined;
  const block = values['fork-block-number'];
  return {
    source: fork.kind === 'remote' ? { ...fork, block: fork.block ?? block } : fork,
    transaction: values['fork-transaction-hash'],
    chainId: values['fork-chain-id'],
    keepsChainId: values.network === undefined && values['chain-id'] === undefined,
    headers: values['fork-header'],
    retries: values['fork-retries'],
    timeoutMs: values['fork-timeout'],
    backoffMs: values['fork-retry-backoff'],
    rate: values['fork-rate'],
    verifies: values['fork-verify'],
    trustsHeader: values['fork-trust-header'],
    caches: !values['no-fork-cache'],
  };
}

/** Returns the part of the configuration that both modes share. */
function serviceConfiguration(values: SettingValues): Omit<ServiceConfiguration, 'explorer'> {
  return {
    host: values.host,
    port: values.port,
    ipc: values.ipc,
    allowedHosts: values['allow-host'],
    allowedOrigins: values.cors,
    allowUnprotected: values['allow-unprotected-transactions'],
    prices: {
      ...DEFAULT_NODE_CONFIGURATION.prices,
      order: values.order,
      minGasPrice: values['gas-price'],
    },
    history: values['no-history'] ? false : values.plugin.includes('history') || undefined,
    registrationDifficulty: values['registration-difficulty'],
    root: values.root,
    workers: values.workers,
    rpc: { ...DEFAULT_NODE_CONFIGURATION.rpc, ...limitsOf('rpc', values) },
    server: { ...DEFAULT_NODE_CONFIGURATION.server, ...limitsOf('server', values) },
  };
}

function limitsOf<Part extends LimitPath['part']>(
  part: Part,
  values: SettingValues,
): Partial<ServiceConfiguration[Part]> {
  const limits = TABLE.flatMap(({ name, setting }) =>
    setting.kind === 'value' && setting.limit?.part === part ? [[setting.limit.name, values[name]]] : [],
  );
  return Object.fromEntries(limits);
}

/** Options of the library: `blockTime` for `--block-time`; in `settings` by the names of their flags. */
interface Options {
  readonly settings?: unknown;
  readonly fork?: unknown;
  /** Receives the node's log; no setting. */
  readonly onLog?: unknown;
}

/** The settings of the properties of the option `fork`. */
const FORK_PROPERTIES: Readonly<Record<string, SettingName>> = {
  url: 'fork',
  file: 'fork',
  block: 'fork-block-number',
  transaction: 'fork-transaction-hash',
  headers: 'fork-header',
};

function forkStatements(fork: object): Statement[] {
  if ('url' in fork === 'file' in fork) throw new UsageError('fork: name either its url or its file');
  return Object.entries(fork).flatMap(([property, value]) =>
    optionStatements(`fork.${property}`, FORK_PROPERTIES[property] ?? '', value),
  );
}

/**
 * Returns the configuration of a node in test mode from the options of the library. Ignores the environment and
 * undefined options.
 *
 * @throws UsageError that names the option and the error
 */
export function testConfigurationOf(given: Options): TestNodeConfiguration {
  const { settings = {}, fork, onLog, ...options } = objectOf('the options of a node', given) as Options;
  if (onLog !== undefined && typeof onLog !== 'function') {
    throw new UsageError(`onLog: expected a function, got a ${typeof onLog}`);
  }
  const named = Object.entries(options).flatMap(([option, value]) =>
    // `block-time` for `blockTime`
    optionStatements(
      option,
      option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      value,
    ),
  );
  const ofFork = fork === undefined ? [] : forkStatements(objectOf('fork', fork));
  const further = Object.entries(objectOf('settings', settings)).flatMap(([name, value]) =>
    optionStatements(`settings["${name}"]`, name, value),
  );
  const statements = [
    optionStatement('test', true),
    optionStatement('port', 0),
    ...named,
    ...ofFork,
    ...further,
  ];
  const resolved = resolveSettings({ config: undefined, statements }, { variables: {} });
  if (resolved.mode !== 'test') throw new UsageError('only test mode is started so');
  return testConfiguration(resolved.values);
}

function objectOf(label: string, value: unknown): object {
  if (typeof value === 'object' && value !== null) return value;
  throw new UsageError(`${label}: expected an object, got ${value === null ? 'null' : `a ${typeof value}`}`);
}

function optionStatements(option: string, name: string, value: unknown): Statement[] {
  if (value === undefined) return [];
  const entry = entryNamed(name);
  const isOfTests = entry !== undefined && entry.mode !== 'node' && !(entry.name in NODE_LOG_SETTINGS);
  if (!isOfTests || entry.name === 'test') throw new UsageError(`${option}: there is no such option`);
  return [optionStatement(entry.name, typeof value === 'bigint' ? String(value) : value, option)];
}

function optionStatement(name: SettingName, raw: unknown, label: string = name): Statement {
  return { name, source: 'option', label, raw };
}
