import type { NodeConfiguration, ServiceConfiguration, TestNodeConfiguration } from '../../node/index.ts';
import { invariant } from '../../protocol/index.ts';
import type { Settings } from './resolve.ts';
import type { SettingValues } from './table.ts';

/** What a node is started with, out of its settings. */
export function configurationOf({ mode, values }: Settings): NodeConfiguration | TestNodeConfiguration {
  return mode === 'node' ? nodeConfiguration(values) : testConfiguration(values);
}

function nodeConfiguration(values: SettingValues): NodeConfiguration {
  const dataDir = values['data-dir'];
  invariant(dataDir !== undefined, 'without a data folder it is test mode');
  return {
    ...serviceConfiguration(values),
    mode: 'node',
    dataDir,
    genesisFile: values.genesis,
    keysFolder: values.keys,
    blockInterval: values['block-interval'],
    follow: values.follow.map(({ href }) => href),
    minFreeBytes: values['min-free-space'],
  };
}

function testConfiguration(values: SettingValues): TestNodeConfiguration {
  return {
    ...serviceConfiguration(values),
    mode: 'test',
    accounts: values.accounts,
    balance: values.balance,
    blockTime: values['block-time'],
    mining: !values['no-mining'],
    dataDir: values['data-dir'],
    hardfork: values.hardfork,
    network: values.network,
    seed: values.seed,
    unsafeExpose: values['unsafe-expose-test-mode'],
  };
}

function serviceConfiguration(values: SettingValues): ServiceConfiguration {
  return {
    host: values.host,
    port: values.port,
    allowedHosts: values['allow-host'],
    allowedOrigins: values.cors,
    history: values['no-history'] ? false : values.plugin.includes('history') || undefined,
    registrationDifficulty: values['registration-difficulty'],
    workers: values.workers,
    limits: {
      bodyBytes: values['max-body'],
      batchRequests: values['max-batch'],
      callGas: BigInt(values['call-gas']),
      callTimeout: values['call-timeout'],
      logs: values['max-logs'],
      filterTimeout: values['filter-timeout'],
      connections: values['max-connections'],
      headerBytes: values['max-headers'],
      headersTimeout: values['headers-timeout'],
      requestTimeout: values['request-timeout'],
      idleTimeout: values['idle-timeout'],
      shutdownTimeout: values['shutdown-timeout'],
      rateLimit: values['rate-limit'],
      busyPoll: values['busy-poll'],
    },
  };
}
