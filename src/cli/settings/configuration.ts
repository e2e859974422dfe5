import {
  type BlockLogSource,
  DEFAULT_CONFIGURATION,
  DEFAULT_NODE_CONFIGURATION,
  type NodeConfiguration,
  type ServiceConfiguration,
  type TestNodeConfiguration,
} from '../../node/index.ts';
import { invariant } from '../../protocol/index.ts';
import type { Settings } from './resolve.ts';
import type { LimitPlace } from './setting.ts';
import { type SettingValues, TABLE } from './table.ts';

/** The network of a test chain that knows Ethereum, where nobody names another. */
const ETHEREUM_NETWORK = 'local';

/** What a node is started with, out of its settings. */
export function configurationOf({ mode, values }: Settings): NodeConfiguration | TestNodeConfiguration {
  return mode === 'node' ? nodeConfiguration(values) : testConfiguration(values);
}

function nodeConfiguration(values: SettingValues): NodeConfiguration {
  const dataDir = values['data-dir'];
  invariant(dataDir !== undefined, 'without a data folder it is test mode');
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
  };
}

/** The block log that the settings name. */
export function logOf(values: SettingValues): BlockLogSource | undefined {
  return values.log?.source({
    credentialsFile: values['log-credentials'],
    authorityFile: values['log-ca'],
    replicas: values['log-replicas'],
    monitors: values['log-monitor'].map(({ href }) => href),
    assumeSynced: values['log-assume-synced'],
  });
}

function testConfiguration(values: SettingValues): TestNodeConfiguration {
  return {
    ...serviceConfiguration(values),
    explorer: !values['no-explorer'],
    mode: 'test',
    accounts: values.accounts,
    balance: values.balance,
    blockTime: values['block-time'],
    mining: !values['no-mining'],
    dataDir: values['data-dir'],
    hardfork: values.hardfork,
    network: values.network ?? (values.ethereum ? ETHEREUM_NETWORK : DEFAULT_CONFIGURATION.network),
    seed: values.seed,
    ethereum: values.ethereum
      ? { mnemonic: values.mnemonic, derivationPath: values['derivation-path'] }
      : undefined,
    artifacts: values.artifacts,
    unsafeExpose: values['unsafe-expose-test-mode'],
  };
}

/** What both modes are started with, but for what their settings say in different ways. */
function serviceConfiguration(values: SettingValues): Omit<ServiceConfiguration, 'explorer'> {
  return {
    host: values.host,
    port: values.port,
    allowedHosts: values['allow-host'],
    allowedOrigins: values.cors,
    allowUnprotected: values['allow-unprotected-transactions'],
    history: values['no-history'] ? false : values.plugin.includes('history') || undefined,
    registrationDifficulty: values['registration-difficulty'],
    workers: values.workers,
    rpc: { ...DEFAULT_NODE_CONFIGURATION.rpc, ...limitsOf('rpc', values) },
    server: { ...DEFAULT_NODE_CONFIGURATION.server, ...limitsOf('server', values) },
  };
}

/** The limits of a part of the configuration that the table has settings for. */
function limitsOf<Part extends LimitPlace['part']>(
  part: Part,
  values: SettingValues,
): Partial<ServiceConfiguration[Part]> {
  const limits = TABLE.flatMap(({ name, setting }) =>
    setting.kind === 'value' && setting.limit?.part === part ? [[setting.limit.name, values[name]]] : [],
  );
  return Object.fromEntries(limits);
}
