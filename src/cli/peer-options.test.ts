import { expect, test } from 'vitest';
import { UsageError } from './command-errors.ts';
import { readCommandLine } from './command-line.ts';
import { testEnvironment } from './environment.testing.ts';

/** The error of a command line; undefined where it is accepted. */
function refusalOf(...words: readonly string[]): string | undefined {
  try {
    readCommandLine(words, '1.2.3');
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** Every option of the tools' own help. */
const OPTIONS: [tool: string, flags: string][] = [
  [
    'anvil 1.7.1',
    `
  --accounts --allow-origin --auto-impersonate --auto-unlock --balance --base-fee --block-base-fee-per-gas
  --block-time --blockTime --cache-path --celo --chain-id --code-size-limit --color
  --compute-units-per-second --config-out --derivation-path --disable-block-gas-limit
  --disable-code-size-limit --disable-console-log --disable-default-create2-deployer
  --disable-min-priority-fee --disable-pool-balance-checks --dump-state --enable-trace-printing
  --enable-tx-gas-limit --fork-block-number --fork-chain-id --fork-header --fork-retry-backoff
  --fork-transaction-hash --fork-url --gas-limit --gas-price --hardfork --help --host --init --ipc
  --ipcpath --jobs --json --load-state --max-persisted-states --max-transactions --md --memory-limit
  --mixed-mining --mnemonic --mnemonic-random --mnemonic-seed-unsafe --network --no-console-log --no-cors
  --no-create2 --no-mine --no-mining --no-priority-fee --no-rate-limit --no-request-size-limit
  --no-rpc-rate-limit --no-storage-caching --number --order --port --preserve-historical-states
  --print-traces --prune-history --quiet --retries --rpc-url --slots-in-an-epoch --state --state-interval
  --steps-tracing --threads --timeout --timestamp --tracing --transaction-block-keeper --tx-gas-limit
  --verbosity --version -V -a -b -f -h -j -m -n -p -q -s -v`,
  ],
  [
    'Hardhat 2 and 3: hardhat node',
    `
  --hostname --port --chain-type --chain-id --fork --fork-block-number --build-profile --config --help
  --coverage --gas-stats --gas-stats-json
  --init --network --show-stack-traces --verbosity --version --emoji --flamegraph --max-memory --tsconfig
  --typecheck --verbose`,
  ],
  [
    'Ganache 7.9.2',
    `
  --account --account_keys_path --accounts --acctKeys --blockTime --chain.allowUnlimitedContractSize
  --chain.allowUnlimitedInitCodeSize --chain.asyncRequestProcessing --chain.chainId --chain.hardfork
  --chain.networkId --chain.time --chain.vmErrorsOnRPCResponse --database.dbPath --db --db_path
  --defaultBalanceEther --detach --deterministic --flavor --fork --fork.blockNumber --fork.deleteCache
  --fork.disableCache --fork.headers --fork.jwt --fork.network --fork.origin --fork.password
  --fork.preLatestConfirmations --fork.requestsPerSecond --fork.url --fork.userAgent --fork.username
  --gasLimit --gasPrice --hardfork --help --host --instamine --lock --logging.debug --logging.file
  --logging.quiet --logging.verbose --miner.blockGasLimit --miner.blockTime --miner.callGasLimit
  --miner.coinbase --miner.defaultGasPrice --miner.defaultTransactionGasLimit --miner.difficulty
  --miner.extraData --miner.instamine --miner.priceBump --miner.timestampIncrement --mnemonic --networkId
  --passphrase --port --quiet --secure --seed --server.chunkSize --server.host --server.port
  --server.rpcEndpoint --server.ws --server.wsBinary --time --unlock --verbose --version
  --wallet.accountKeysPath --wallet.accounts --wallet.defaultBalance --wallet.deterministic --wallet.hdPath
  --wallet.lock --wallet.mnemonic --wallet.passphrase --wallet.seed --wallet.totalAccounts
  --wallet.unlockedAccounts -D -a -b -d -e -f -g -h -i -k -l -m -n -p -q -s -t -u -v`,
  ],
];

test.each(OPTIONS)(
  'default: %s: each option is known, or its error names the alternative',
  (_tool, flags) => {
    const unanswered = flags
      .trim()
      .split(/\s+/)
      .map((flag) => [flag, refusalOf(flag) ?? ''] as const)
      .filter(([flag, text]) => text.includes(`unknown option '${flag}'`) && !text.includes(`'${flag}': `));
    expect(unanswered).toEqual([]);
  },
);

test.each([
  [['--fork.blockNumber', '1'], "unknown option '--fork.blockNumber': use --fork-block-number <number>"],
  [['start', '--fork.url=http://a'], "unknown option '--fork.url=http://a': use --fork <url>"],
  [['--chainId', '1'], "unknown option '--chainId': use --chain-id <number>"],
  [['config', '--hostname', 'a'], "unknown option '--hostname': use --host <host>"],
  [['-vvv'], "unknown option '-vvv': use --verbosity 3"],
  [['--fork-ulr', 'http://a'], "unknown option '--fork-ulr'"],
  [['verify', '--fork-url', 'a'], "unknown option '--fork-url'"],
])('args: %j', (words, message) => {
  expect(refusalOf(...words)?.slice(0, message.length)).toBe(message);
});

test('behavior: the options of ledgerd that remedies name exist', () => {
  const known = new Set(printedHelp().match(/--[a-z-]+/g));
  const remedies = OPTIONS.flatMap(([, flags]) => flags.trim().split(/\s+/)).map(
    (flag) => refusalOf(flag) ?? '',
  );
  const named = remedies.flatMap((text) => [...text.matchAll(/use (--[a-z-]+)/g)].map(([, flag]) => flag));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((flag) => flag !== undefined && !known.has(flag))).toEqual([]);
});

function printedHelp(): string {
  const { environment, output } = testEnvironment();
  readCommandLine(['--help'], '1.2.3').run(environment);
  return output();
}
