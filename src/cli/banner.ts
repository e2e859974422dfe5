import { BANNER_ACCOUNTS_MAX } from '../limits.ts';
import type { NodeAccount, NodeDescription } from '../node/index.ts';
import { accountAddress, bytesToHex, formatAccountId, toPrefixedHex } from '../protocol/index.ts';
import type { Paint } from './paint.ts';

/** Width of the column of labels. */
const LABEL_WIDTH = 15;

/**
 * Writes what a user of test mode needs to know at its start: where the node listens, which chain it runs,
 * and the accounts with their keys.
 *
 * @returns lines, each ended by a line feed
 */
export function banner(node: NodeDescription, paint: Paint): string {
  const label = (name: string, value: string): string => `${paint('dim', name.padEnd(LABEL_WIDTH))}${value}`;
  const shown = node.accounts.slice(0, BANNER_ACCOUNTS_MAX);
  const list = (line: (account: NodeAccount) => string): string[] => [
    ...shown.map((account, index) => `(${index}) ${line(account)}`),
    ...summary(node.accounts.length - shown.length),
  ];
  const lines = [
    paint('bold', `ledgerd ${node.version}`),
    '',
    label('Endpoint', paint('green', node.url)),
    label(
      'Network',
      `${node.network.name}, chain id ${node.network.chainId}, network id ${node.network.networkId}`,
    ),
    label('Native chain', bytesToHex(node.nativeChainId)),
    label('Hardfork', node.hardfork),
    label('Genesis', `${utc(node.genesisTime)} (${node.genesisTime})`),
    ...(node.headNumber > 0 ? [label('Head', `block ${node.headNumber}`)] : []),
    label('Data', node.dataDir ?? 'temporary, gone when the node stops'),
    label('Mining', miningMode(node)),
    '',
    paint('bold', 'Accounts'),
    ...list(({ id, balance }) => `${formatAccountId(id)}  ${toPrefixedHex(accountAddress(id))}  ${balance}`),
    '',
    paint('bold', 'Private keys'),
    ...list(({ seed }) => toPrefixedHex(seed)),
    '',
    paint('bold', 'EVM addresses'),
    ...list(({ evmAddress }) => toPrefixedHex(evmAddress)),
    '',
    'Every account above is unlocked; its passphrase is the empty text.',
    paint(
      'yellow',
      'Warning: these keys are public. Whoever knows the seed text has them: never use them elsewhere.',
    ),
    ...(node.exposed ? [paint('red', 'Warning: other machines can reach this node and use its keys.')] : []),
    '',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function summary(hidden: number): string[] {
  return hidden > 0 ? [`and ${hidden} more: personal_listRawAccounts lists them all`] : [];
}

function miningMode(node: NodeDescription): string {
  const mode =
    node.blockTime === undefined ? 'a block for every transaction' : `a block every ${node.blockTime} s`;
  return node.mining ? mode : `stopped; once started by miner_start: ${mode}`;
}

function utc(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19);
}
