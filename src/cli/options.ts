import { type Command, Option } from 'commander';
import { HARDFORKS, type Hardfork } from '../evm/index.ts';
import { NETWORK_NAMES, type NetworkName } from '../ledger/index.ts';
import {
  BATCH_REQUESTS_FLAG_MAX,
  BLOCK_TIME_SECONDS_MAX,
  BODY_BYTES_FLAG_MAX,
  BODY_BYTES_FLAG_MIN,
  CALL_GAS_FLAG_MAX,
  CALL_GAS_FLAG_MIN,
  FILTER_TIMEOUT_SECONDS_MAX,
  LOGS_FLAG_MAX,
  PATH_CHARACTERS_MAX,
  PORT_MAX,
  REGISTRATION_DIFFICULTY_MAX,
  TEST_ACCOUNTS_MAX,
} from '../limits.ts';
import { DEFAULT_CONFIGURATION } from '../node/index.ts';
import {
  hostName,
  nativeUnits,
  oneOf,
  repeated,
  someText,
  type ValueParser,
  webOrigin,
  wholeNumber,
} from './values.ts';

/** Plugins that `--plugin` may name. */
const PLUGINS = ['history'] as const;

/** What commander collects from the flags of `start`, by its own naming rule. */
export interface StartFlags {
  readonly host: string;
  readonly port: number;
  readonly accounts: number;
  readonly balance: bigint;
  readonly blockTime?: number;
  readonly mining: boolean;
  readonly dataDir?: string;
  readonly hardfork: Hardfork;
  readonly network: NetworkName;
  readonly seed: string;
  readonly plugin: readonly (typeof PLUGINS)[number][];
  readonly history: boolean;
  readonly allowHost: readonly string[];
  readonly cors: readonly string[];
  readonly unsafeExposeTestMode: boolean;
  readonly maxBody: number;
  readonly maxBatch: number;
  readonly callGas: number;
  readonly maxLogs: number;
  readonly filterTimeout: number;
  readonly registrationDifficulty: number;
  readonly quiet: boolean;
}

/** Declares the flags of `start`, in the order of the help. */
export function addStartOptions(command: Command): Command {
  const options = [...listeningOptions(), ...chainOptions(), ...blockOptions(), ...limitOptions()];
  return options.reduce((extended, option) => extended.addOption(option), command);
}

/** Where the node listens, and whom it serves. */
function listeningOptions(): Option[] {
  const defaults = DEFAULT_CONFIGURATION;
  return [
    single('--host <host>', 'name or address to listen at', hostName('--host'), defaults.host),
    single(
      '--port <number>',
      'port to listen at, 0 for a free one',
      wholeNumber('--port', 0, PORT_MAX),
      defaults.port,
    ),
    collecting('--allow-host <host>', 'further Host header to accept, repeatable', hostName('--allow-host')),
    collecting('--cors <origin>', 'further web origin to accept, repeatable', webOrigin('--cors')),
    new Option('--unsafe-expose-test-mode', 'allow a host that other machines can reach').default(
      false,
      'off',
    ),
  ];
}

/** What chain it runs. */
function chainOptions(): Option[] {
  const defaults = DEFAULT_CONFIGURATION;
  return [
    single(
      '--accounts <number>',
      `test accounts, at most ${TEST_ACCOUNTS_MAX}`,
      wholeNumber('--accounts', 1, TEST_ACCOUNTS_MAX),
      defaults.accounts,
    ),
    single(
      '--balance <units>',
      'native units of each test account',
      nativeUnits('--balance'),
      defaults.balance,
    ),
    single('--seed <text>', 'text that the accounts are derived from', someText('--seed'), defaults.seed),
    new Option('--data-dir <folder>', 'folder that keeps the chain (default: a temporary one)').argParser(
      someText('--data-dir', PATH_CHARACTERS_MAX),
    ),
    single('--network <name>', NETWORK_NAMES.join(', '), oneOf('--network', NETWORK_NAMES), defaults.network),
    single('--hardfork <name>', HARDFORKS.join(', '), oneOf('--hardfork', HARDFORKS), defaults.hardfork),
  ];
}

/** When blocks are made. */
function blockOptions(): Option[] {
  return [
    new Option(
      '--block-time <seconds>',
      'a block every so many seconds (default: one for every transaction)',
    ).argParser(wholeNumber('--block-time', 1, BLOCK_TIME_SECONDS_MAX)),
    new Option('--no-mining', 'start with block production stopped: evm_mine and miner_start make blocks'),
  ];
}

/** Plugins, limits and output. */
function limitOptions(): Option[] {
  const defaults = DEFAULT_CONFIGURATION;
  return [
    collecting(
      '--plugin <name>',
      'plugin to run: history; none is run by --no-history',
      oneOf('--plugin', PLUGINS),
    ),
    new Option('--no-history', 'run without the history plugin (eth_getTransactionCount)'),
    single(
      '--max-body <bytes>',
      'bytes of a request',
      wholeNumber('--max-body', BODY_BYTES_FLAG_MIN, BODY_BYTES_FLAG_MAX),
      defaults.limits.bodyBytes,
    ),
    single(
      '--max-batch <number>',
      'requests in a batch',
      wholeNumber('--max-batch', 1, BATCH_REQUESTS_FLAG_MAX),
      defaults.limits.batchRequests,
    ),
    single(
      '--call-gas <gas>',
      'gas of an eth_call or eth_estimateGas',
      wholeNumber('--call-gas', CALL_GAS_FLAG_MIN, CALL_GAS_FLAG_MAX),
      Number(defaults.limits.callGas),
    ),
    single(
      '--max-logs <number>',
      'logs in an answer, and hashes in the answer of a filter',
      wholeNumber('--max-logs', 1, LOGS_FLAG_MAX),
      defaults.limits.logs,
    ),
    single(
      '--filter-timeout <seconds>',
      'when a filter is removed that nobody polls',
      wholeNumber('--filter-timeout', 1, FILTER_TIMEOUT_SECONDS_MAX),
      defaults.limits.filterTimeout,
    ),
    single(
      '--registration-difficulty <bits>',
      'zero bits of the proof of work that registers an account',
      wholeNumber('--registration-difficulty', 0, REGISTRATION_DIFFICULTY_MAX),
      defaults.registrationDifficulty,
    ),
    new Option('--quiet', 'print nothing but errors').default(false, 'off'),
  ];
}

function single<T>(flags: string, description: string, parse: ValueParser<T>, standard: T): Option {
  return new Option(flags, description).argParser(parse).default(standard, String(standard));
}

function collecting<T>(flags: string, description: string, parse: ValueParser<T>, standard = 'none'): Option {
  return new Option(flags, description).argParser(repeated(parse)).default([], standard);
}
