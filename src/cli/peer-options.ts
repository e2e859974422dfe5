import { PEERS } from './peers/translate.ts';
import { argumentOf } from './settings/setting.ts';
import { flagOf, TABLE } from './settings/table.ts';

const FORK_HEADER = 'use --fork-header <header>';
const FORK_PASSWORD = 'use --fork <url> with the user name and the password in the URL';
const FORK_CACHE = "ledgerd's cache is the folder ledgerd/forks in the user's cache folder (XDG_CACHE_HOME)";
const BLOCK_FIELD = 'ledgerd cannot change this field of blocks';
const UNLOCKED = 'ledgerd starts with unlocked accounts; call personal_lockAccount or personal_unlockAccount';
const KEYS = 'ledgerd writes no file of keys: the banner prints them';

/**
 * Options of `anvil`, `hardhat node` and `ganache` that `--as` does not translate, or whose translation is no advice,
 * each with the option, command or method of ledgerd for it.
 */
const PEER_OPTIONS: readonly (readonly [flags: string, remedy: string])[] = [
  ['-n', "use --network <name> for anvil's option; Ganache's locks accounts: call personal_lockAccount"],
  ['-v', 'use --verbosity 3; --version prints the version'],
  ['--logging.file', 'ledgerd writes its log to the standard output: redirect it'],
  ['--wallet.seed', 'use --seed <text>'],
  ['--config-out', 'ledgerd writes no such file: ledgerd config prints the settings'],
  ['-d --wallet.deterministic --deterministic', 'ledgerd always derives the same keys'],
  ['--mnemonic-random --mnemonic-seed-unsafe', 'ledgerd draws no mnemonic: use --mnemonic <words>'],
  ['-s', "ledgerd stores each block at once; for Ganache's option use --seed <text>"],
  ['--wallet.accounts --account', 'call personal_importRawKey on the running node'],
  ['-u --wallet.unlockedAccounts --unlock', `${UNLOCKED}; call anvil_impersonateAccount for others`],
  ['--wallet.lock --lock --secure --wallet.passphrase --passphrase', UNLOCKED],
  ['--wallet.accountKeysPath --account_keys_path --acctKeys', KEYS],
  ['--server.rpcEndpoint', 'use --root ethereum: the other paths, /ledger and /ethereum, are fixed'],
  ['--fork.network', 'use --fork <url>: ledgerd knows no provider by a name'],
  ['--fork.preLatestConfirmations', 'use --fork-block-number <number> with an older block'],
  ['--fork.username --fork.password', FORK_PASSWORD],
  ['--fork.jwt --fork.userAgent --fork.origin', FORK_HEADER],
  ['--fork.deleteCache --cache-path', FORK_CACHE],
  ['-t --timestamp --chain.time --time', 'call evm_setTime on the running node'],
  ['--number', 'ledgerd begins with block 0: call anvil_mine on the running node'],
  ['--max-transactions', 'ledgerd bounds blocks by gas: call evm_setBlockGasLimit on the running node'],
  ['--miner.coinbase --miner.difficulty --miner.extraData', BLOCK_FIELD],
  ['--disable-default-create2-deployer --no-create2', 'ledgerd has --no-preinstalls at ledgerd init only'],
  ['--disable-pool-balance-checks --no-pool-balance-checks', 'ledgerd always checks balances'],
  ['--celo --optimism --chain-type', 'ledgerd has one kind of chain with Ethereum: use --ethereum'],
  ['--flamegraph', 'ledgerd compiles nothing'],
  ['-D --detach --flavor', 'ledgerd runs in the foreground: start it with & or a service manager'],
  ['--color', 'ledgerd colours terminals only: set NO_COLOR to switch that off'],
  ['--md', 'ledgerd prints text, or JSON with --log-format json'],
];

const ARGUMENTS: ReadonlyMap<string, string> = new Map(
  TABLE.flatMap(({ name, setting }) =>
    setting.kind === 'switch' ? [] : [[`use ${flagOf(name)}`, ` <${argumentOf(setting)}>`]],
  ),
);

const OWN_FLAGS: ReadonlySet<string> = new Set(TABLE.map(({ name }) => flagOf(name)));

const REMEDIES: ReadonlyMap<string, string> = new Map([
  ...Object.values(PEERS)
    .toReversed()
    .flatMap(({ flags }) =>
      flags.flatMap(({ names, remedy }) => names.map((name) => [name, remedy] as const)),
    )
    // The advice for a flag of ledgerd that is malformed would be the flag itself.
    .filter(([name]) => !OWN_FLAGS.has(name))
    .map(([name, remedy]) => [name, remedy + (ARGUMENTS.get(remedy) ?? '')] as const),
  ...PEER_OPTIONS.flatMap(([flags, remedy]) => flags.split(' ').map((flag) => [flag, remedy] as const)),
]);

/**
 * Returns the alternative of ledgerd to an option of anvil, Hardhat or Ganache, or states that there is none.
 *
 * @param flag as it was given, such as `--fork.url=http://a` or `-vvv`
 * @returns undefined for an option that none of them has
 */
export function peerOptionRemedy(flag: string): string | undefined {
  return REMEDIES.get(flag.replace(/=.*$/s, '').replace(/^-(.)\1+$/, '-$1'));
}
