import type {
  EthereumDescription,
  NodeAccount,
  NodeDescription,
  ServiceDescription,
  TestNodeDescription,
} from '../../node/index.ts';
import {
  accountAddress,
  bytesToHex,
  checksumAddress,
  decimalText,
  formatAccountId,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { labelled, linesOf, optionalLine, type Paint } from '../text.ts';
import { etherText } from '../values.ts';

/** Test accounts that the start banner lists. */
const BANNER_ACCOUNTS_MAX = 20;

/** Decimals of ether in wei; clients of `/` use them for native units, too. */
const ETHER_DECIMALS = 18;

/**
 * Writes the banner of a node: its address, chain and producers; in test mode also the accounts with their keys.
 *
 * @param showsNative true if native accounts are listed on a chain with Ethereum, too
 * @returns lines, each ended by a line feed
 */
export function banner(
  node: NodeDescription | TestNodeDescription,
  paint: Paint,
  showsNative = false,
): string {
  const lines = [
    paint('bold', `ledgerd ${node.version}`),
    '',
    ...serviceLines(node, paint),
    ...(node.mode === 'test' ? testLines(node, paint, showsNative) : nodeLines(node, paint)),
    '',
  ];
  return linesOf(lines);
}

function serviceLines(node: ServiceDescription, paint: Paint): string[] {
  const { name, chainId, networkId } = node.network;
  return [
    ...endpointLines(node, paint),
    ...optionalLine('IPC', node.ipc, paint),
    ...optionalLine('Explorer', node.explorerUrl && paint('green', node.explorerUrl), paint),
    labelled('Network', `${name}, chain id ${chainId}, network id ${networkId}`, paint),
    labelled('Native chain', bytesToHex(node.nativeChainId), paint),
    labelled('Hardfork', node.hardfork, paint),
    labelled('Genesis', `${utc(node.genesisTime)} (${node.genesisTime})`, paint),
    ...(node.headNumber > 0 ? [labelled('Head', `block ${node.headNumber}`, paint)] : []),
  ];
}

/** Names the profile of each path of a chain with Ethereum. */
function endpointLines({ url, root, ledgerUrl, ethereumUrl }: ServiceDescription, paint: Paint): string[] {
  const endpoint = paint('green', url);
  if (ethereumUrl === undefined) return [labelled('Endpoint', endpoint, paint)];
  return root === 'ethereum'
    ? [
        labelled('Endpoint', `${endpoint} for wallets and tools of Ethereum`, paint),
        labelled('Ledger', paint('green', ledgerUrl), paint),
      ]
    : [
        labelled('Endpoint', `${endpoint} for the native ledger`, paint),
        labelled('Ethereum', paint('green', ethereumUrl), paint),
      ];
}

function nodeLines(node: NodeDescription, paint: Paint): string[] {
  const producers = node.producers.map(formatAccountId).join(', ');
  return [
    labelled('Data', node.dataDir, paint),
    labelled('Blocks', `one every ${node.blockInterval} s`, paint),
    labelled('Produces as', producers === '' ? 'nobody: it holds no producer key' : producers, paint),
    labelled('Registers', node.registers ? 'yes' : 'no: it holds no key of the registrar', paint),
    ...(node.follow.length > 0 ? [labelled('Follows', node.follow.join(', '), paint)] : []),
    ...optionalLine('Log', node.log, paint),
  ];
}

function testLines(node: TestNodeDescription, paint: Paint, showsNative: boolean): string[] {
  return [
    labelled('Data', node.dataDir ?? 'temporary, deleted when the node stops', paint),
    labelled('Mining', miningMode(node), paint),
    ...forkLines(node, paint),
    '',
    ...(node.ethereum === undefined ? [] : ethereumLines(node, node.ethereum, paint)),
    ...(node.ethereum === undefined || showsNative
      ? nativeLines(node, paint)
      : [`The accounts of the native ledger are ${nativeRange(node)}: --native-accounts shows their keys.`]),
    paint(
      'yellow',
      'Warning: these keys are public. Anyone can derive them from the seed: never use them elsewhere.',
    ),
    ...(node.exposed ? [paint('red', 'Warning: other machines can reach this node and use its keys.')] : []),
  ];
}

function forkLines({ fork, ethereum }: TestNodeDescription, paint: Paint): string[] {
  if (fork === undefined) return [];
  const { source = 'stored entries, without a remote node', number, hash, withCode } = fork;
  const count = ethereum?.accounts.length ?? 0;
  return [
    labelled('Fork', `block ${number} of ${source}`, paint),
    labelled('', toPrefixedHex(hash), paint),
    labelled(
      '',
      `the ${count} funded accounts have no remote balance and code (${withCode} had code)`,
      paint,
    ),
  ];
}

function nativeRange({ accounts }: TestNodeDescription): string {
  const first = accounts.at(0);
  const last = accounts.at(-1);
  if (first === undefined || last === undefined) return 'none';
  return first === last
    ? formatAccountId(first.id)
    : `${formatAccountId(first.id)} to ${formatAccountId(last.id)}`;
}

/** Lists the native accounts with their keys; amounts are in ether on a chain with Ethereum. */
function nativeLines({ accounts, ethereum }: TestNodeDescription, paint: Paint): string[] {
  const list = (line: (account: NodeAccount) => string): string[] =>
    numbered(accounts, line, ': personal_listRawAccounts lists them all');
  const amount = (units: bigint): string =>
    ethereum === undefined ? `${units} (${decimalText(units, ETHER_DECIMALS)})` : etherText(units);
  return [
    paint('bold', ethereum === undefined ? 'Accounts' : 'Native accounts'),
    ...list(
      ({ id, balance }) => `${formatAccountId(id)}  ${toPrefixedHex(accountAddress(id))}  ${amount(balance)}`,
    ),
    '',
    paint('bold', ethereum === undefined ? 'Private keys' : 'Native private keys'),
    ...list(({ seed }) => toPrefixedHex(seed)),
    '',
    paint('bold', 'EVM addresses'),
    ...list(({ evmAddress }) => toPrefixedHex(evmAddress)),
    '',
    ...(ethereum === undefined ? ['Balances are in native units, then in what clients call ether.'] : []),
    'Every account above is unlocked; its passphrase is the empty text. Its key signs native transactions (Ed25519),',
    'and messages as its EVM address (secp256k1).',
    ...(ethereum === undefined
      ? [
          'This chain accepts no Ethereum transactions: send by eth_sendTransaction from the address of an account.',
          'For MetaMask, Foundry, Hardhat and others, with their usual keys: ledgerd start --root ethereum',
        ]
      : []),
  ];
}

/** Lists the accounts of Ethereum's tools, in their format. */
function ethereumLines(
  { ethereumUrl }: TestNodeDescription,
  { mnemonic, derivationPath, baseFee, accounts }: EthereumDescription,
  paint: Paint,
): string[] {
  return [
    paint('bold', "Ethereum's accounts"),
    ...numbered(
      accounts,
      ({ address, balance }) => `${checksumAddress(address)}  ${decimalText(balance, ETHER_DECIMALS)} ether`,
    ),
    '',
    paint('bold', "Ethereum's private keys"),
    ...numbered(accounts, ({ privateKey }) => toPrefixedHex(privateKey)),
    '',
    labelled('Mnemonic', mnemonic, paint),
    labelled('Path', `${derivationPath}/<index>`, paint),
    labelled('Base fee', `${baseFee} wei in the first block (EIP-1559)`, paint),
    `Wallets and tools of Ethereum use ${ethereumUrl} and these keys: docs/ethereum.md.`,
    '',
  ];
}

/** Numbers the entries, up to a bound. @param hint end of the line with the number of the others */
function numbered<T>(entries: readonly T[], line: (entry: T) => string, hint = ''): string[] {
  const hidden = entries.length - BANNER_ACCOUNTS_MAX;
  return [
    ...entries.slice(0, BANNER_ACCOUNTS_MAX).map((entry, index) => `(${index}) ${line(entry)}`),
    ...(hidden > 0 ? [`and ${hidden} more${hint}`] : []),
  ];
}

function miningMode({ blockTime, mining, mixedMining }: TestNodeDescription): string {
  const timed = blockTime === undefined ? [] : [`a block every ${blockTime} s`];
  const instant = blockTime === undefined || mixedMining ? ['a block for every transaction'] : [];
  const mode = [...timed, ...instant].join(', and ');
  return mining ? mode : `stopped; once started by miner_start: ${mode}`;
}

function utc(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19);
}
