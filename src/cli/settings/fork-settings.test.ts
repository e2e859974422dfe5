import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { ForkConfiguration } from '../../node/index.ts';
import { UsageError } from '../command-errors.ts';
import { readCommandLine } from '../command-line.ts';
import { testEnvironment } from '../environment.testing.ts';
import { configurationOf } from './configuration.ts';
import { addSettingOptions } from './flags.ts';
import { resolveSettings } from './resolve.ts';

const URL = 'https://rpc.example/v1/some-long-secret-key';
const HASH = `0x${'ab'.repeat(32)}`;

function configuration(words: readonly string[]) {
  const command = new Command().exitOverride();
  const flags = addSettingOptions(command);
  command.parse([...words], { from: 'user' });
  return configurationOf(resolveSettings(flags(), { variables: {} }));
}

function forkOf(words: readonly string[]): ForkConfiguration | undefined {
  const result = configuration(words);
  return result.mode === 'test' ? result.fork : undefined;
}

function refusal(words: readonly string[]): string {
  try {
    configuration(words);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'accepted';
}

const remote = { kind: 'remote', url: URL, block: undefined };

test.each<[string[], object]>([
  [['--fork', URL], { source: remote, retries: 5, keepsChainId: true, caches: true, headers: [] }],
  [['--fork', `${URL}@21000000`], { source: { ...remote, block: 21_000_000 } }],
  [
    ['--fork', 'https://me@rpc.example', '--fork-block-number', '7'],
    { source: { kind: 'remote', url: 'https://me@rpc.example', block: 7 } },
  ],
  // A fork is a test chain, with a folder too.
  [['--fork', URL, '--data-dir', '/nowhere'], { source: remote }],
  [['--fork', './usdc.fork'], { source: { kind: 'pack', file: './usdc.fork' } }],
  [
    ['--fork', URL, '--fork-transaction-hash', HASH, '--network', 'local'],
    { transaction: HASH, keepsChainId: false },
  ],
  [['--fork', URL, '--fork-header', 'A: b', '--fork-header', 'C: d'], { headers: ['A: b', 'C: d'] }],
  [['--fork-url', URL], { source: remote }],
  [['-f', `${URL}@9`], { source: { ...remote, block: 9 } }],
  [['--rpc-url', URL, '--retries', '2', '--timeout', '900'], { source: remote, retries: 2, timeoutMs: 900 }],
  [['--fork', URL, '--fork-retry-backoff', '20', '--no-storage-caching'], { backoffMs: 20, caches: false }],
  [['--fork', URL, '--compute-units-per-second', '330'], { rate: 19 }],
  [['--fork', URL, '--cups', '1'], { rate: 1 }],
  [['--fork', URL, '--cups', '330', '--no-rate-limit'], { rate: undefined }],
])('args: %j', (words, expected) => {
  expect(forkOf(words)).toMatchObject(expected);
});

test('args: --fork implies --ethereum, with its mnemonic', () => {
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  expect(configuration(['--fork', URL, '--mnemonic', words])).toMatchObject({
    network: 'local',
    ethereum: { mnemonic: words },
  });
});

test.each<[string[], string]>([
  [['--fork-rate', '3'], '--fork-rate needs --fork'],
  [['--retries', '3'], '--retries needs --fork'],
  [['--no-fork-cache'], '--no-fork-cache needs --fork'],
  [['--fork-rate', '1', '--data-dir', '/nowhere'], '--fork-rate belongs to test mode: give --test'],
  [
    ['--fork', URL, '--state-trie'],
    '--state-trie contradicts --fork: the remote chain does not send its whole trie',
  ],
  [
    ['--fork-url', URL, '--base-fee', '1'],
    '--base-fee contradicts --fork-url: the base fee follows the remote block',
  ],
  [
    ['--fork', URL, '--hardfork', 'shanghai'],
    '--hardfork contradicts --fork: a fork has the rules of cancun or later ones',
  ],
  [
    ['--fork', URL, '--workers', '1'],
    '--workers contradicts --fork: the node itself runs the queries of a fork',
  ],
  [
    ['--fork', `${URL}@5`, '--fork-block-number', '5'],
    '--fork-block-number contradicts --fork: the block is already named after @',
  ],
  [
    ['--fork', `${URL}@5`, '--fork-transaction-hash', HASH],
    '--fork-transaction-hash contradicts --fork: the block is already named after @',
  ],
  [
    ['--fork', 'a.fork', '--fork-block-number', '5'],
    '--fork-block-number contradicts --fork: a pack has its block',
  ],
  [
    ['--fork', URL, '--fork-block-number', '5', '--fork-transaction-hash', HASH],
    '--fork-transaction-hash contradicts --fork-block-number: give one of the two',
  ],
  [['--fork', URL, '--cups', 'many'], '--cups: expected a whole number from 1 to 100000, got "many"'],
  [
    ['--fork', 'https://rpc example/v1/secret'],
    '--fork: expected the URL of an Ethereum node, with @ and a block number or without, or the file of a pack',
  ],
  [['--fork', URL, '--fork-header', 'secret'], '--fork-header: expected a header as "Name: value"'],
])('error: %j', (words, message) => {
  expect(refusal(words)).toBe(message);
});

test('behavior: ledgerd config does not print credentials', () => {
  const { environment, output } = testEnvironment();
  readCommandLine(['config', '--fork', URL, '--fork-header', 'X-Key: some-secret'], '1').run(environment);
  expect(JSON.parse(output()).settings).toMatchObject({
    fork: { value: 'https://rpc.example/…' },
    'fork-header': { value: ['X-Key: …'] },
  });
  expect(output()).not.toContain('secret');
});
