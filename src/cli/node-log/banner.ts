import { BANNER_ACCOUNTS_MAX } from '../../limits.ts';
import type {
  NodeAccount,
  NodeDescription,
  ServiceDescription,
  TestNodeDescription,
} from '../../node/index.ts';
import {
  accountAddress,
  bytesToHex,
  checksumAddress,
  formatAccountId,
  toPrefixedHex,
} from '../../protocol/index.ts';
import type { Paint } from '../paint.ts';

/** Width of the column of labels. */
const LABEL_WIDTH = 15;

const ETHER_DECIMALS = 18;
const UNITS_OF_ETHER = 10n ** BigInt(ETHER_DECIMALS);

/**
 * Writes what a user of a node needs to know at its start: where it listens, which chain it runs and who makes its
 * blocks; in test mode also the accounts with their keys.
 *
 * @returns lines, each ended by a line feed
 */
export function banner(node: NodeDescription | TestNodeDescription, paint: Paint): string {
  const lines = [
    paint('bold', `ledgerd ${node.version}`),
    '',
    ...serviceLines(node, paint),
    ...(node.mode === 'test' ? testLines(node, paint) : nodeLines(node, paint)),
    '',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function labelled(name: string, value: string, paint: Paint): string {
  return `${paint('dim', name.padEnd(LABEL_WIDTH))}${value}`;
}

function serviceLines(node: ServiceDescription, paint: Paint): string[] {
  const { name, chainId, networkId } = node.network;
  return [
    labelled('Endpoint', paint('green', node.url), paint),
    ...(node.ethereumUrl === undefined
      ? []
      : [labelled('Ethereum', paint('green', node.ethereumUrl), paint)]),
    ...(node.explorerUrl === undefined
      ? []
      : [labelled('Explorer', paint('green', node.explorerUrl), paint)]),
    labelled('Network', `${name}, chain id ${chainId}, network id ${networkId}`, paint),
    labelled('Native chain', bytesToHex(node.nativeChainId), paint),
    labelled('Hardfork', node.hardfork, paint),
    labelled('Genesis', `${utc(node.genesisTime)} (${node.genesisTime})`, paint),
    ...(node.headNumber > 0 ? [labelled('Head', `block ${node.headNumber}`, paint)] : []),
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
    ...(node.log === undefined ? [] : [labelled('Log', node.log, paint)]),
  ];
}

function testLines(node: TestNodeDescription, paint: Paint): string[] {
  const shown = node.accounts.slice(0, BANNER_ACCOUNTS_MAX);
  const list = (line: (account: NodeAccount) => string): string[] => [
    ...shown.map((account, index) => `(${index}) ${line(account)}`),
    ...summary(node.accounts.length - shown.length),
  ];
  return [
    labelled('Data', node.dataDir ?? 'temporary, gone when the node stops', paint),
    labelled('Mining', miningMode(node), paint),
    '',
    paint('bold', 'Accounts'),
    ...list(
      ({ id, balance }) =>
        `${formatAccountId(id)}  ${toPrefixedHex(accountAddress(id))}  ${balance} (${etherText(balance)})`,
    ),
    '',
    paint('bold', 'Private keys'),
    ...list(({ seed }) => toPrefixedHex(seed)),
    '',
    paint('bold', 'EVM addresses'),
    ...list(({ evmAddress }) => toPrefixedHex(evmAddress)),
    '',
    'Balances are in native units, then in what clients call ether. Every account above is unlocked; its passphrase is',
    'the empty text. Its key signs native transactions (Ed25519), and messages as its EVM address (secp256k1).',
    ...(node.ethereum === undefined
      ? [
          "An Ethereum transaction signed with it is none of this ledger's: send from the account's address, unsigned.",
        ]
      : []),
    ...ethereumLines(node, paint),
    paint(
      'yellow',
      'Warning: these keys are public. Whoever knows the text they come from has them: never use them elsewhere.',
    ),
    ...(node.exposed ? [paint('red', 'Warning: other machines can reach this node and use its keys.')] : []),
  ];
}

/** The keys of a chain that knows Ethereum, as its tools expect them; on any other how to start one. */
function ethereumLines({ ethereum, ethereumUrl }: TestNodeDescription, paint: Paint): string[] {
  if (ethereum === undefined) {
    return ["For MetaMask, Foundry, Hardhat and others, with keys of Ethereum's: ledgerd start --ethereum"];
  }
  const { mnemonic, derivationPath, accounts } = ethereum;
  const shown = accounts.slice(0, BANNER_ACCOUNTS_MAX);
  const list = (line: (account: (typeof accounts)[number]) => string): string[] => [
    ...shown.map((account, index) => `(${index}) ${line(account)}`),
    ...(accounts.length > shown.length ? [`and ${accounts.length - shown.length} more`] : []),
  ];
  return [
    '',
    paint('bold', "Ethereum's accounts"),
    ...list(({ address, balance }) => `${checksumAddress(address)}  ${etherText(balance)} ether`),
    '',
    paint('bold', "Ethereum's private keys"),
    ...list(({ privateKey }) => toPrefixedHex(privateKey)),
    '',
    labelled('Mnemonic', mnemonic, paint),
    labelled('Path', `${derivationPath}/<index>`, paint),
    `Wallets and tools of Ethereum take ${ethereumUrl} and these keys: docs/ethereum.md.`,
  ];
}

/** Native units as a client writes them that takes one for a Wei: `0.1`. */
function etherText(units: bigint): string {
  const fraction = String(units % UNITS_OF_ETHER)
    .padStart(ETHER_DECIMALS, '0')
    .replace(/0+$/, '');
  return `${units / UNITS_OF_ETHER}${fraction === '' ? '' : `.${fraction}`}`;
}

function summary(hidden: number): string[] {
  return hidden > 0 ? [`and ${hidden} more: personal_listRawAccounts lists them all`] : [];
}

function miningMode(node: TestNodeDescription): string {
  const mode =
    node.blockTime === undefined ? 'a block for every transaction' : `a block every ${node.blockTime} s`;
  return node.mining ? mode : `stopped; once started by miner_start: ${mode}`;
}

function utc(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19);
}
