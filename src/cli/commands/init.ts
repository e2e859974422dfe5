import type { Command } from 'commander';
import { HARDFORKS, type Hardfork, LATEST_HARDFORK } from '../../evm/index.ts';
import { isAccountName, NETWORK_NAMES, type Network, networkOf } from '../../ledger/index.ts';
import {
  BLOCK_INTERVAL_SECONDS_DEFAULT,
  BLOCK_INTERVAL_SECONDS_MAX,
  BLOCK_INTERVAL_SECONDS_MIN,
  INIT_SUPPLY_DEFAULT,
  NETWORK_NAME_CHARACTERS_MAX,
} from '../../limits.ts';
import { type InitializedFolder, type InitializeOptions, initializeFolder } from '../../node/index.ts';
import { bytesToHex, formatAccountId, formatPublicKey } from '../../protocol/index.ts';
import { type Choose, dataDirOf, dataDirOption, listOption, valueOption } from '../command.ts';
import { UsageError } from '../errors.ts';
import {
  decimalSeconds,
  nativeUnits,
  oneOf,
  publicKey,
  someText,
  type ValueType,
  wholeNumber,
} from '../values.ts';

interface InitFlags {
  readonly dataDir?: string;
  readonly network: string;
  readonly chainId?: number;
  readonly hardfork: Hardfork;
  readonly supply: bigint;
  readonly blockInterval: number;
  readonly history: boolean;
  readonly account: InitializeOptions['accounts'];
}

/** The network of a chain for which nobody names one. */
const DEFAULT_NETWORK = 'default';

/** Width of the column of labels. */
const LABEL_WIDTH = 15;

/** An account whose key is held elsewhere. */
const foreignAccount: ValueType<InitializeOptions['accounts'][number]> = {
  expected: 'NAME=PUBLICKEY:BALANCE',
  read: (text) => {
    const [, name = '', key = '', units = ''] = /^([^=]+)=([^:]+):(.+)$/.exec(text) ?? [];
    const [held, balance] = [publicKey.read(key), nativeUnits.read(units)];
    if (!isAccountName(name) || held === undefined || balance === undefined) return undefined;
    return { name, publicKey: held, balance };
  },
};

/** Declares `ledgerd init`. */
export function addInitCommand(program: Command, choose: Choose): void {
  const interval = decimalSeconds(BLOCK_INTERVAL_SECONDS_MIN, BLOCK_INTERVAL_SECONDS_MAX);
  const networks = `name of the network: ${NETWORK_NAMES.join(', ')}, or another with --chain-id`;
  const options = [
    dataDirOption(),
    valueOption('--network <name>', networks, someText(NETWORK_NAME_CHARACTERS_MAX)).default(
      DEFAULT_NETWORK,
      DEFAULT_NETWORK,
    ),
    valueOption(
      '--chain-id <number>',
      'chain id and network id (default: those of the network)',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    ),
    valueOption('--hardfork <name>', HARDFORKS.join(', '), oneOf(HARDFORKS)).default(
      LATEST_HARDFORK,
      LATEST_HARDFORK,
    ),
    valueOption('--supply <units>', 'native units of all accounts together', nativeUnits).default(
      INIT_SUPPLY_DEFAULT,
      String(INIT_SUPPLY_DEFAULT),
    ),
    valueOption('--block-interval <seconds>', 'time between two blocks, decimals allowed', interval).default(
      BLOCK_INTERVAL_SECONDS_DEFAULT,
      String(BLOCK_INTERVAL_SECONDS_DEFAULT),
    ),
    listOption(
      '--account <name=publickey:balance>',
      'further account, whose key is held elsewhere, repeatable',
      foreignAccount,
    ),
  ];
  const init = program
    .command('init')
    .description('Begin a chain in a new folder: the genesis, and keys of producer, registrar and treasury.');
  for (const option of options) init.addOption(option);
  init.option('--no-history', 'run the node without the history plugin (eth_getTransactionCount)');
  init.action((flags: InitFlags) => {
    const network = networkFor(flags);
    choose({
      failure: 'cannot begin a chain',
      run: async (environment) => {
        const { hardfork, supply, blockInterval, history, account: accounts } = flags;
        const dataDir = dataDirOf(flags.dataDir, environment);
        const options = { dataDir, network, hardfork, supply, blockInterval, history, accounts };
        environment.print(describe(await initializeFolder(options), network, history));
      },
    });
  });
}

/** @throws UsageError for a name that says nothing about the chain id, without one */
function networkFor({ network, chainId }: InitFlags): Network {
  if (chainId !== undefined) return { name: network, chainId, networkId: chainId };
  const name = NETWORK_NAMES.find((candidate) => candidate === network);
  if (name === undefined) throw new UsageError(`--network ${network}: give it a --chain-id`);
  return networkOf(name);
}

/** What was made, and what to do with it: paths, identifiers and public keys. */
function describe(
  { path, genesisFile, nativeChainId, accounts }: InitializedFolder,
  network: Network,
  history: boolean,
): string {
  const label = (name: string, value: string) => `${name.padEnd(LABEL_WIDTH)}${value}`;
  const treasury = accounts.find(({ name }) => name === 'treasury');
  const lines = [
    label('Data', path),
    label('Genesis file', genesisFile),
    label('Network', `${network.name}, chain id ${network.chainId}, network id ${network.networkId}`),
    label('Native chain', bytesToHex(nativeChainId)),
    label('History', history ? 'on' : 'off'),
    '',
    ...accounts.flatMap((account) => [
      label(formatAccountId(account.id), `${account.name}, ${account.balance} units`),
      label('', formatPublicKey(account.publicKey)),
      label('', account.keyFile ?? 'its key is held elsewhere'),
    ]),
    '',
    'Whoever has a key file has the account. Keep copies of them in a safe place.',
    ...(treasury?.keyFile === undefined
      ? []
      : [`The node does not need ${treasury.keyFile}: move it off this machine.`]),
    `Start the node: ledgerd start --data-dir ${path}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}
