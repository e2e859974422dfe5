import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { isAccountName } from '../../ledger/index.ts';
import {
  ACCOUNT_NAME_CHARACTERS_MAX,
  ACCOUNT_NAME_CHARACTERS_MIN,
  PATH_CHARACTERS_MAX,
  REGISTER_THREADS_MAX,
} from '../../limits.ts';
import {
  type Address,
  FormatError,
  hexToBytes,
  type PublicKey,
  parsePublicKey,
  toAddress,
} from '../../protocol/index.ts';
import { UsageError } from '../errors.ts';
import { shown, someText, type ValueParser, wholeNumber } from '../values.ts';
import type { RegisterRequest } from './register.ts';

/** What commander collects from the flags of `register`, by its own naming rule. */
export interface RegisterFlags {
  readonly url: URL;
  readonly name: string;
  readonly evmAddress?: Address;
  readonly activeKey?: PublicKey;
  readonly echorandKey?: PublicKey;
  readonly seedFile?: string;
  readonly threads: number;
}

/** Declares the flags of `register`, in the order of the help. */
export function addRegisterOptions(command: Command): Command {
  const threads = Math.min(availableParallelism(), REGISTER_THREADS_MAX);
  const options = [
    new Option('--url <url>', 'where the node listens').argParser(nodeUrl).makeOptionMandatory(),
    new Option('--name <name>', 'name of the account').argParser(accountName).makeOptionMandatory(),
    new Option('--evm-address <address>', 'EVM address of the account (default: none)').argParser(evmAddress),
    new Option('--active-key <key>', 'public key that signs for the account (default: a new one)').argParser(
      publicKey('--active-key'),
    ),
    new Option('--echorand-key <key>', 'its consensus key (default: a new one)').argParser(
      publicKey('--echorand-key'),
    ),
    new Option('--seed-file <file>', 'file to write the new key to (default: it is only printed)').argParser(
      someText('--seed-file', PATH_CHARACTERS_MAX),
    ),
    new Option('--threads <number>', 'threads that solve the task')
      .argParser(wholeNumber('--threads', 1, REGISTER_THREADS_MAX))
      .default(threads, 'one for each core'),
  ];
  return options.reduce((extended, option) => extended.addOption(option), command);
}

/** Makes a request of the flags. @throws UsageError for flags that contradict each other */
export function registerRequestOf(flags: RegisterFlags): RegisterRequest {
  const { url, name, activeKey, echorandKey, seedFile, threads } = flags;
  if ((activeKey === undefined) !== (echorandKey === undefined)) {
    throw new UsageError('give both of --active-key and --echorand-key, or none to have a key generated');
  }
  const keys =
    activeKey === undefined || echorandKey === undefined
      ? undefined
      : { active: activeKey, echorand: echorandKey };
  if (keys !== undefined && seedFile !== undefined) {
    throw new UsageError('--seed-file: there is no new key to write when keys are given');
  }
  return { url, name, evmAddress: flags.evmAddress, keys, seedFile, threads };
}

function nodeUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isNode = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url !== undefined && isNode && url.username === '' && url.password === '') return url;
  throw new UsageError(`--url: expected a URL such as http://127.0.0.1:8545, got ${shown(text)}`);
}

function accountName(text: string): string {
  if (isAccountName(text)) return text;
  throw new UsageError(
    `--name: expected ${ACCOUNT_NAME_CHARACTERS_MIN} to ${ACCOUNT_NAME_CHARACTERS_MAX} characters of a-z, 0-9, - ` +
      `and ., every label beginning with a letter and ending with a letter or digit, got ${shown(text)}`,
  );
}

function evmAddress(text: string): Address {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return toAddress(hexToBytes(text.slice(2)));
  throw new UsageError(`--evm-address: expected 0x and 40 hexadecimal digits, got ${shown(text)}`);
}

function publicKey(flag: string): ValueParser<PublicKey> {
  return (text) => {
    try {
      return parsePublicKey(text, flag);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      throw new UsageError(`${error.message}, got ${shown(text)}`, { cause: error });
    }
  };
}
