const FORK_HEADER = 'use --fork-header <header>';
const FORK_PASSWORD = 'use --fork <url> with the user name and the password in the URL';
const FORK_CACHE = "ledgerd's cache is the folder ledgerd/forks in the user's cache folder (XDG_CACHE_HOME)";
const KEPT = 'use --test --data-dir <folder>, which stores the chain';
const STATES = 'ledgerd stores every state in test mode; node mode has --undo-blocks <number>';
const BLOCK_FIELD = 'ledgerd cannot change this field of blocks';
const UNLOCKED = 'ledgerd starts with unlocked accounts; call personal_lockAccount or personal_unlockAccount';
const KEYS = 'ledgerd writes no file of keys: the banner prints them';
/** Options of `anvil`, `hardhat node` and `ganache`, each with the option, command or method of ledgerd for it. */
const PEER_OPTIONS: readonly (readonly [flags: string, remedy: string])[] = [
  ['-a --wallet.totalAccounts', 'use --accounts <number>'],
  ['-b --miner.blockTime --blockTime', 'use --block-time <seconds>'],
  ['-e --wallet.defaultBalance --defaultBalanceEther', 'use --ethereum-balance <ether>, with --ethereum'],
  ['-i --chain.networkId --networkId --chain.chainId --chainId', 'use --chain-id <number>'],
  ['-k --chain.hardfork', 'use --hardfork <name>'],
  ['-m --wallet.mnemonic', 'use --mnemonic <words>, with --ethereum'],
  ['-n', "use --network <name> for anvil's option; Ganache's locks accounts: call personal_lockAccount"],
  ['-p --server.port', 'use --port <number>'],
  ['--hostname --server.host', 'use --host <host>'],
  ['-j --threads --jobs', 'use --workers <number>'],
  ['-q --silent --logging.quiet', 'use --quiet'],
  [
    '-v --verbosity --verbose --logging.verbose --logging.debug',
    'use --log-level debug; --version prints the version',
  ],
  ['--json', 'use --log-format json'],
  ['--logging.file', 'ledgerd writes its log to the standard output: redirect it'],
  ['--wallet.seed', 'use --seed <text>'],
  ['--wallet.hdPath', 'use --derivation-path <path>, with --ethereum'],
  ['--database.dbPath --db --db_path', KEPT],
  ['--config-out', 'ledgerd writes no such file: ledgerd config prints the settings'],
  ['-d --wallet.deterministic --deterministic', 'ledgerd always derives the same keys'],
  ['--mnemonic-random --mnemonic-seed-unsafe', 'ledgerd draws no mnemonic: use --mnemonic <words>'],
  ['-s', "ledgerd stores each block at once; for Ganache's option use --seed <text>"],
  ['--wallet.accounts --account', 'call personal_importRawKey on the running node'],
  ['-u --wallet.unlockedAccounts --unlock', `${UNLOCKED}; call anvil_impersonateAccount for others`],
  ['--wallet.lock --lock --secure --wallet.passphrase --passphrase', UNLOCKED],
  ['--wallet.accountKeysPath --account_keys_path --acctKeys', KEYS],
  ['--allow-origin', 'use --cors <origin>'],
  ['--no-cors', 'ledgerd serves no foreign origin that --cors does not name'],
  ['--no-request-size-limit', 'use --max-body <bytes>'],
  ['--ipcpath', 'use --ipc <path>'],
  ['--server.ws --server.wsBinary --server.chunkSize', 'ledgerd always serves WebSockets, as text'],
  ['--server.rpcEndpoint', 'use --root ethereum: the other paths, /ledger and /ethereum, are fixed'],
  ['--fork.url', 'use --fork <url>'],
  ['--fork.network', 'use --fork <url>: ledgerd knows no provider by a name'],
  ['--fork.blockNumber', 'use --fork-block-number <number>'],
  ['--fork.preLatestConfirmations', 'use --fork-block-number <number> with an older block'],
  ['--fork.username --fork.password', FORK_PASSWORD],
  ['--fork.jwt --fork.userAgent --fork.origin --fork.headers', FORK_HEADER],
  ['--fork.requestsPerSecond', 'use --fork-rate <number>'],
  ['--fork.disableCache', 'use --no-fork-cache'],
  ['--fork.deleteCache --cache-path', FORK_CACHE],
  ['-l --gas-limit --miner.blockGasLimit --gasLimit', 'use --block-gas-limit <gas>, with --ethereum'],
  ['--no-gas-limit', 'use --disable-block-gas-limit'],
  ['-g --miner.defaultGasPrice --gasPrice', 'use --gas-price <wei>'],
  ['--block-base-fee-per-gas', 'use --base-fee <wei>, with --ethereum'],
  ['--enable-tx-gas-limit --tx-gas-limit', 'ledgerd has this limit from Osaka on: use --hardfork <name>'],
  ['--miner.callGasLimit', 'use --call-gas <gas>'],
  ['--miner.defaultTransactionGasLimit', 'ledgerd estimates the gas of transactions without a limit'],
  [
    '--no-code-size-limit --chain.allowUnlimitedContractSize --chain.allowUnlimitedInitCodeSize',
    'use --disable-code-size-limit',
  ],
  ['--memory-limit', "ledgerd bounds the EVM's memory by gas: use --call-gas <gas>"],
  ['-t --timestamp --chain.time --time', 'call evm_setTime on the running node'],
  ['--miner.timestampIncrement', 'call anvil_setBlockTimestampInterval on the running node'],
  ['--number', 'ledgerd begins with block 0: call anvil_mine on the running node'],
  ['--no-mine', 'use --no-mining'],
  ['--miner.instamine --instamine', 'ledgerd returns the hash of a transaction with its block (eager)'],
  ['--miner.priceBump', 'ledgerd replaces a transaction for 10 % more of both fees'],
  ['--max-transactions', 'ledgerd bounds blocks by gas: call evm_setBlockGasLimit on the running node'],
  ['--slots-in-an-epoch', 'ledgerd has no epochs: safe and finalized are the newest block'],
  ['--miner.coinbase --miner.difficulty --miner.extraData', BLOCK_FIELD],
  ['--max-persisted-states --preserve-historical-states --prune-history', STATES],
  ['--transaction-block-keeper', 'ledgerd stores all transactions'],
  ['--auto-unlock', 'use --auto-impersonate'],
  ['--disable-console-log --no-console-log', 'use --log-level warn'],
  ['--print-traces --enable-trace-printing', 'use ledgerd trace; the log has the calls of what failed'],
  ['--steps-tracing --tracing', 'ledgerd traces every transaction on request: call debug_traceTransaction'],
  ['--disable-default-create2-deployer --no-create2', 'ledgerd has --no-preinstalls at ledgerd init only'],
  ['--disable-pool-balance-checks --no-pool-balance-checks', 'ledgerd always checks balances'],
  ['--chain.vmErrorsOnRPCResponse', 'ledgerd reports a failed transaction in its receipt'],
  ['--chain.asyncRequestProcessing', 'ledgerd always works on requests concurrently'],
  ['--celo --optimism --chain-type', 'ledgerd has one kind of chain with Ethereum: use --ethereum'],
  ['--build-profile --show-stack-traces --showStackTraces --emoji --flamegraph', 'ledgerd compiles nothing'],
  ['--max-memory --tsconfig --typecheck', 'ledgerd compiles nothing'],
  ['--coverage --gas-stats --gas-stats-json', 'ledgerd compiles nothing'],
  ['-D --detach --flavor', 'ledgerd runs in the foreground: start it with & or a service manager'],
  ['--color', 'ledgerd colours terminals only: set NO_COLOR to switch that off'],
  ['--md', 'ledgerd prints text, or JSON with --log-format json'],
];

const REMEDIES = new Map(
  PEER_OPTIONS.flatMap(([flags, remedy]) => flags.split(' ').map((flag) => [flag, remedy])),
);

/**
 * Returns the alternative of ledgerd to an option of anvil, Hardhat or Ganache, or states that there is none.
 *
 * @param flag as it was given, such as `--fork.url=http://a` or `-vvv`
 * @returns undefined for an option that none of them has
 */
export function peerOptionRemedy(flag: string): string | undefined {
  return REMEDIES.get(flag.replace(/=.*$/s, '').replace(/^-(.)\1+$/, '-$1'));
}
