import { randomInt } from 'node:crypto';
import type { Command } from 'commander';
import {
  BLOCK_INTERVAL_SECONDS_MAX,
  BLOCK_INTERVAL_SECONDS_MIN,
  NETWORK_NAME_CHARACTERS_MAX,
} from '../../consensus.ts';
import { HARDFORKS, type Hardfork, LATEST_HARDFORK } from '../../evm/index.ts';
import {
  BLOCK_INTERVAL_SECONDS_DEFAULT,
  type EthereumFeatures,
  type FeeRule,
  isAccountName,
  mainnetBlobSchedule,
  movingFees,
  NETWORK_NAMES,
  type Network,
  networkOf,
} from '../../ledger/index.ts';
import {
  INIT_PRODUCERS_MAX,
  type InitializedAccount,
  type InitializedCluster,
  type InitializedFolder,
  type InitializeEthereum,
  type InitializeOptions,
  initializeCluster,
  initializeFolder,
  shellWord,
} from '../../node/index.ts';
import { bytesToHex, checksumAddress, formatAccountId, formatPublicKey } from '../../protocol/index.ts';
import { PROFILE_IDS, type ProfileId } from '../../rpc/index.ts';
import { type Choose, dataDirOf, dataDirOption, listOption, valueOption } from '../command.ts';
import { UsageError } from '../command-errors.ts';
import { describeFees, labelled, linesOf } from '../text.ts';
import {
  decimalSeconds,
  ethereumAddress,
  etherText,
  etherUnits,
  nativeUnits,
  oneOf,
  publicKey,
  someText,
  type ValueType,
  weiAmount,
  wholeNumber,
} from '../values.ts';

/** Range of random chain ids: the public registry has few there, and every wallet supports them. */
export const DRAWN_CHAIN_ID_MIN = 2 ** 30;
export const DRAWN_CHAIN_ID_MAX = 2 ** 31 - 1;

/** Fixed price of gas on a new chain, in wei: 1 gwei. */
const GAS_PRICE_DEFAULT = 1_000_000_000n;
const INIT_SUPPLY_DEFAULT = 1_000_000_000_000_000_000n;

interface InitFlags {
  readonly dataDir?: string;
  readonly network?: string;
  readonly chainId?: number;
  readonly hardfork: Hardfork;
  readonly supply: bigint;
  readonly blockInterval: number;
  readonly producers: number;
  readonly history: boolean;
  readonly account: InitializeOptions['accounts'];
  readonly ethereum?: boolean;
  readonly ethereumAccount: InitializeEthereum['accounts'];
  readonly preinstalls: boolean;
  readonly gasPrice?: bigint;
  readonly baseFee?: bigint;
  readonly blobs?: boolean;
  readonly stateTrie?: boolean;
  readonly root?: ProfileId;
}

const DEFAULT_NETWORK = 'default';

/** The default network of a chain with Ethereum. */
const ETHEREUM_NETWORK = 'private';

/** Chain ids of this program's networks that the public registry assigns to other chains. */
const TAKEN_CHAIN_IDS: readonly number[] = [222, 223, 255];

const foreignAccount: ValueType<InitializeOptions['accounts'][number]> = {
  expected: 'NAME=PUBLICKEY:BALANCE',
  read: (text) => {
    const [, name = '', key = '', units = ''] = /^([^=]+)=([^:]+):(.+)$/.exec(text) ?? [];
    const held = publicKey.read(key);
    const balance = nativeUnits.read(units);
    if (!isAccountName(name) || held === undefined || balance === undefined) return undefined;
    return { name, publicKey: held, balance };
  },
};

const ethereumAccount: ValueType<InitializeEthereum['accounts'][number]> = {
  expected: 'ADDRESS=ETHER, such as 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266=10.5',
  read: (text) => {
    const [, holder = '', ether = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    const address = ethereumAddress.read(holder);
    const balance = etherUnits.read(ether);
    return address === undefined || balance === undefined ? undefined : { address, balance };
  },
};

function ethereumOptions() {
  return [
    valueOption(
      '--root <interface>',
      'with --ethereum: interface at the path /, ledger or ethereum, for the file of settings of the node',
      oneOf(PROFILE_IDS),
    ),
    valueOption(
      '--gas-price <wei>',
      `with --ethereum: fixed price of gas (default: ${GAS_PRICE_DEFAULT}, without --base-fee)`,
      weiAmount,
    ),
    valueOption(
      '--base-fee <wei>',
      'with --ethereum: instead of a fixed price, base fee of the first block; later ones follow EIP-1559',
      weiAmount,
    ),
    listOption(
      '--ethereum-account <address=ether>',
      'with --ethereum: account of an Ethereum key, repeatable',
      ethereumAccount,
    ),
  ];
}

/** The flags without a value. */
const TOGGLES = [
  ['--no-history', 'run the node without the history plugin (eth_getTransactionCount)'],
  ['--ethereum', 'a chain with Ethereum: its wallets and tools work at the path /ethereum'],
  ['--blobs', "with --ethereum: blob transactions by mainnet's schedule, from Cancun on"],
  ['--state-trie', 'with --ethereum: a Merkle-Patricia trie of the state, for eth_getProof'],
  ['--no-preinstalls', 'with --ethereum: create no contracts that tools expect'],
] as const;

export function addInitCommand(program: Command, choose: Choose): void {
  const names = `${NETWORK_NAMES.join(', ')}, or another with --chain-id`;
  const networks = `name of the network: ${names} (default: ${DEFAULT_NETWORK}; with --ethereum: ${ETHEREUM_NETWORK})`;
  const options = [
    dataDirOption(),
    valueOption('--network <name>', networks, someText(NETWORK_NAME_CHARACTERS_MAX)),
    valueOption(
      '--chain-id <number>',
      'chain id and network id (default: those of the network; with --ethereum: a random one)',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    ),
    valueOption('--hardfork <name>', HARDFORKS.join(', '), oneOf(HARDFORKS), LATEST_HARDFORK),
    valueOption('--supply <units>', 'native units of all accounts', nativeUnits, INIT_SUPPLY_DEFAULT),
    valueOption(
      '--block-interval <seconds>',
      'time between two blocks, decimals allowed',
      decimalSeconds(BLOCK_INTERVAL_SECONDS_MIN, BLOCK_INTERVAL_SECONDS_MAX),
      BLOCK_INTERVAL_SECONDS_DEFAULT,
    ),
    valueOption(
      '--producers <number>',
      'producers in round-robin order; above 1, a folder for each of their nodes',
      wholeNumber(1, INIT_PRODUCERS_MAX),
      1,
    ),
    listOption(
      '--account <name=publickey:balance>',
      'further account with a foreign key, repeatable',
      foreignAccount,
    ),
    ...ethereumOptions(),
  ];
  const init = program
    .command('init')
    .description(
      'Create a chain in a new folder: the genesis, and keys of producer, registrar and treasury.',
    );
  for (const option of options) init.addOption(option);
  for (const [flag, description] of TOGGLES) init.option(flag, description);
  init.action((flags: InitFlags) => {
    const ethereum = ethereumFor(flags);
    const network = ethereum === undefined ? networkFor(flags) : ethereumNetworkFor(flags);
    choose('cannot create a chain', async (environment) => {
      const { hardfork, supply, blockInterval, history, account: accounts, root } = flags;
      const dataDir = dataDirOf(flags.dataDir, environment);
      const options = {
        dataDir,
        network,
        hardfork,
        supply,
        blockInterval,
        history,
        accounts,
        ethereum,
        root,
      };
      const isDrawn = flags.chainId === undefined;
      environment.print(
        flags.producers === 1
          ? describe(await initializeFolder(options), options, isDrawn)
          : describeCluster(await initializeCluster(options, flags.producers), options, isDrawn),
      );
    });
  });
}

/** Returns the named network. @throws UsageError for an unknown name without a chain id */
function networkFor({ network = DEFAULT_NETWORK, chainId }: InitFlags): Network {
  if (chainId !== undefined) return { name: network, chainId, networkId: chainId };
  const name = NETWORK_NAMES.find((candidate) => candidate === network);
  if (name === undefined) throw new UsageError(`--network ${network}: give it a --chain-id`);
  return networkOf(name);
}

/** @throws UsageError for settings of Ethereum without --ethereum */
function ethereumFor(flags: InitFlags): InitializeEthereum | undefined {
  const { ethereum, ethereumAccount: accounts, preinstalls, stateTrie: hasStateTrie = false } = flags;
  if (ethereum === true) {
    return {
      accounts,
      preinstalls,
      features: { fees: feesFor(flags), blobs: blobsFor(flags), hasStateTrie },
    };
  }
  if (flags.root === 'ethereum') throw new UsageError('--root ethereum needs --ethereum');
  if (flags.blobs === true) throw new UsageError('--blobs needs --ethereum');
  if (hasStateTrie) throw new UsageError('--state-trie needs --ethereum');
  if (accounts.length > 0) throw new UsageError('--ethereum-account needs --ethereum');
  if (!preinstalls) throw new UsageError('--no-preinstalls needs --ethereum');
  if (flags.gasPrice !== undefined) throw new UsageError('--gas-price needs --ethereum');
  if (flags.baseFee !== undefined) throw new UsageError('--base-fee needs --ethereum');
  return undefined;
}

/** Returns the fee rule of a chain with Ethereum. @throws UsageError for two rules */
function feesFor({ gasPrice, baseFee }: InitFlags): FeeRule {
  if (baseFee === undefined) return { type: 'fixed', price: gasPrice ?? GAS_PRICE_DEFAULT };
  if (gasPrice !== undefined) throw new UsageError('give --gas-price or --base-fee, not both');
  return movingFees(baseFee);
}

/** Returns the blob schedule of a chain with Ethereum; undefined for none. @throws UsageError before Cancun */
function blobsFor({ blobs, hardfork }: InitFlags): EthereumFeatures['blobs'] {
  if (blobs !== true) return undefined;
  const schedule = mainnetBlobSchedule(hardfork);
  if (schedule === undefined)
    throw new UsageError(`--blobs needs --hardfork cancun or later, not ${hardfork}`);
  return schedule;
}

/**
 * Returns the network of a chain with Ethereum. By default its chain id is random: a transaction that is signed for
 * this chain would be valid on another one with the same id (EIP-155).
 *
 * @throws UsageError for a chain id of another chain
 */
function ethereumNetworkFor(flags: InitFlags): Network {
  const isDrawn = flags.network === undefined && flags.chainId === undefined;
  const chainId = isDrawn ? randomInt(DRAWN_CHAIN_ID_MIN, DRAWN_CHAIN_ID_MAX + 1) : flags.chainId;
  const network = networkFor({ ...flags, network: flags.network ?? ETHEREUM_NETWORK, chainId });
  if (!TAKEN_CHAIN_IDS.includes(network.chainId)) return network;
  const label = flags.chainId === undefined ? `--network ${network.name}` : '--chain-id';
  throw new UsageError(
    `${label}: the chain id ${network.chainId} belongs to another public chain, on which transactions of this one ` +
      'would be valid, too: give another --chain-id',
  );
}

function describe(
  { path, genesisFile, nativeChainId, accounts }: InitializedFolder,
  options: InitializeOptions,
  isDrawn: boolean,
): string {
  const treasury = accounts.find(({ name }) => name === 'treasury');
  return linesOf([
    labelled('Data', path),
    labelled('Genesis file', genesisFile),
    ...chainLines(nativeChainId, options, isDrawn),
    '',
    ...accounts.flatMap((account) => accountLines(account, 'its key is held elsewhere', options)),
    '',
    KEEP_KEYS,
    ...(treasury?.keyFile === undefined
      ? []
      : [`The node does not need ${treasury.keyFile}: move it off this machine.`]),
    `Start the node: ledgerd start --data-dir ${shellWord(path)}`,
  ]);
}

function describeCluster(
  { path, nativeChainId, accounts, nodes, treasuryFile }: InitializedCluster,
  options: InitializeOptions,
  isDrawn: boolean,
): string {
  const elsewhere = (name: string): string =>
    name === 'registrar' ? 'its key is in the folder of every node' : 'its key is held elsewhere';
  return linesOf([
    labelled('Data', path),
    ...chainLines(nativeChainId, options, isDrawn),
    '',
    ...accounts.flatMap((account) => accountLines(account, elsewhere(account.name), options)),
    '',
    'Copy each whole folder to the machine of its node before its first start, then delete it here: two nodes must',
    'never use the same key.',
    ...nodes.map(({ number, path: folder, producer }) =>
      labelled(`Node ${number}`, `${folder} (${formatAccountId(producer)})`),
    ),
    '',
    KEEP_KEYS,
    `No node needs ${treasuryFile}: move it off this machine.`,
    'Start each node, with the addresses of your log servers:',
    '  ledgerd start --data-dir FOLDER --block-log nats://HOST1:4222,nats://HOST2:4222,nats://HOST3:4222',
  ]);
}

const KEEP_KEYS = 'A key file controls its account. Keep copies of them in a safe place.';

function chainLines(
  nativeChainId: InitializedFolder['nativeChainId'],
  { network, history, ethereum, root }: InitializeOptions,
  isDrawn: boolean,
): string[] {
  return [
    labelled('Network', `${network.name}, chain id ${network.chainId}, network id ${network.networkId}`),
    labelled('Native chain', bytesToHex(nativeChainId)),
    labelled('History', history ? 'on' : 'off'),
    ...(ethereum === undefined
      ? []
      : ethereumLines(
          ethereum,
          root === 'ethereum' ? '/' : '/ethereum',
          isDrawn && network.name === ETHEREUM_NETWORK,
        )),
  ];
}

/** @param elsewhere text for a key without a file here */
function accountLines(
  account: InitializedAccount,
  elsewhere: string,
  { ethereum }: InitializeOptions,
): string[] {
  const { id, name, balance } = account;
  return [
    labelled(
      formatAccountId(id),
      `${name}, ${ethereum === undefined ? `${balance} units` : etherText(balance)}`,
    ),
    labelled('', formatPublicKey(account.publicKey)),
    labelled('', account.keyFile ?? elsewhere),
  ];
}

function ethereumLines(
  { accounts, preinstalls, features }: InitializeEthereum,
  path: string,
  isDrawn: boolean,
): string[] {
  const contracts = preinstalls ? 'with the contracts that tools expect' : 'without preinstalled contracts';
  return [
    labelled('Ethereum', `wallets and tools work at the path ${path}; ${contracts}`),
    labelled('Gas price', describeFees(features.fees)),
    ...(isDrawn
      ? [labelled('', `random chain id from ${DRAWN_CHAIN_ID_MIN} to ${DRAWN_CHAIN_ID_MAX}: wallets need it`)]
      : []),
    ...accounts.map(({ address, balance }) =>
      labelled('', `${checksumAddress(address)}, ${etherText(balance)}`),
    ),
  ];
}
