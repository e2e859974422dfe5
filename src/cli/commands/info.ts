import type { Command } from 'commander';
import { CONTRACT_CODE_BYTES_MAX } from '../../consensus.ts';
import type { EthereumGenesis } from '../../ledger/index.ts';
import { type ChainDescription, describeChain, VERSION } from '../../node/index.ts';
import { blockHashOf, bytesToHex, formatAccountId, toPrefixedHex } from '../../protocol/index.ts';
import { type Choose, dataDirOf, dataDirOption } from '../command.ts';
import { grouped } from '../progress.ts';
import { describeFees, labelled, linesOf } from '../text.ts';
import { etherText, roundByteText } from '../values.ts';

export function addInfoCommand(program: Command, choose: Choose): void {
  program
    .command('info')
    .description('Describe the chain of a data folder and its head, also while its node runs.')
    .addOption(dataDirOption())
    .option('--json', 'as JSON')
    .action(({ dataDir, json }: { readonly dataDir?: string; readonly json?: boolean }) => {
      choose('cannot describe the chain', async (environment) => {
        const chain = await describeChain(dataDirOf(dataDir, environment));
        environment.print(json === true ? asJson(chain) : asText(chain));
      });
    });
}

function asText(chain: ChainDescription): string {
  const { genesis, head, statistics } = chain;
  const { network, hardfork, producers, registrar } = genesis;
  const lines = [
    ['Data', `${chain.path}${chain.inUse ? ' (in use)' : ''}`],
    ['Mode', chain.kind],
    ...(chain.kind === 'node' ? [['Blocks', blocksText(chain)] as const] : []),
    ['Network', `${network.name}, chain id ${network.chainId}, network id ${network.networkId}`],
    ['Native chain', bytesToHex(chain.nativeChainId)],
    ['Hardfork', hardfork],
    ['Genesis', timeText(genesis.timestamp)],
    ...(genesis.ethereum ? [['Ethereum', ethereumText(genesis.ethereum)] as const] : []),
    ['Producers', producers.map(formatAccountId).join(', ')],
    ['Registrar', formatAccountId(registrar)],
    ['Supply', genesis.ethereum ? etherText(chain.supply) : `${chain.supply} units`],
    ['Head', `block ${head.number}, ${timeText(head.timestamp)}`],
    ['', toPrefixedHex(blockHashOf(head.id))],
    ['Pending', grouped(chain.pending)],
    ['History', chain.history ? 'on' : 'off'],
    ['Store', `${roundByteText(statistics.fileBytes)}, ${roundByteText(statistics.usedBytes)} of it in use`],
  ] as const;
  return linesOf(lines.map(([label, value]) => labelled(label, value)));
}

/** Describes the block interval: a node may use another one than the genesis, which recent blocks show. */
function blocksText({ genesis, recent }: ChainDescription): string {
  const given = `every ${genesis.blockInterval} s, or the --block-interval of a node`;
  return recent.blocks === 0 ? given : `${given}; the last ${recent.blocks} took ${recent.seconds} s`;
}

function ethereumFacts({ blockGasLimit, accounts, contracts, features }: EthereumGenesis) {
  return {
    blockGasLimit: String(blockGasLimit),
    fees: describeFees(features.fees),
    genesisAccounts: accounts.length,
    genesisContracts: contracts.length,
    blobSchedule: features.blobs ?? null,
    stateTrie: features.hasStateTrie,
    codeSizeLimit: features.codeSizeLimit ?? CONTRACT_CODE_BYTES_MAX,
  };
}

function ethereumText(ethereum: EthereumGenesis): string {
  const { blockGasLimit, fees, genesisAccounts, genesisContracts, blobSchedule, stateTrie, codeSizeLimit } =
    ethereumFacts(ethereum);
  return (
    `at the path /ethereum; gas price ${fees}; block gas limit ${blockGasLimit}; ` +
    `genesis with ${genesisAccounts} accounts of keys and ${genesisContracts} contracts` +
    (blobSchedule === null ? '' : '; with blobs') +
    (stateTrie ? '; with a state trie' : '') +
    (codeSizeLimit === CONTRACT_CODE_BYTES_MAX ? '' : `; code of at most ${codeSizeLimit} bytes`)
  );
}

function asJson(chain: ChainDescription): string {
  const { genesis, head, statistics } = chain;
  const described = {
    version: VERSION,
    dataDir: chain.path,
    inUse: chain.inUse,
    mode: chain.kind,
    network: genesis.network,
    nativeChainId: bytesToHex(chain.nativeChainId),
    hardfork: genesis.hardfork,
    genesisBlockInterval: genesis.blockInterval,
    recent: chain.recent,
    genesisTime: timeText(genesis.timestamp),
    producers: genesis.producers.map(formatAccountId),
    registrar: formatAccountId(genesis.registrar),
    supply: String(chain.supply),
    ethereum: genesis.ethereum ? ethereumFacts(genesis.ethereum) : null,
    head: {
      number: head.number,
      hash: toPrefixedHex(blockHashOf(head.id)),
      time: timeText(head.timestamp),
    },
    pending: chain.pending,
    history: chain.history,
    store: statistics,
  };
  return `${JSON.stringify(described, undefined, 2)}\n`;
}

/** Formats a time by ISO 8601, without milliseconds. */
function timeText(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}
