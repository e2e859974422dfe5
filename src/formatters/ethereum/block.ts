import type { BlockSettings, BlockSummary, Genesis } from '../../ledger/index.ts';
import {
  EMPTY_TRIE_ROOT,
  type Hash,
  type Hexadecimal,
  quantity,
  toPrefixedHex,
  zeroData,
} from '../../protocol/index.ts';
import { commonHeader } from '../block.ts';
import type { EthereumBlockObject, EthereumHeaderObject } from './objects.ts';

/** Rules of a chain with Ethereum that its block objects show. */
interface ShownRules {
  readonly hardfork: Genesis['hardfork'];
  /** The block of a remote chain that the first block follows; absent: the chain is no fork. */
  readonly fork?:
    | { readonly number: number; readonly hash: Hash; readonly isWhole?: boolean | undefined }
    | undefined;
}

/** Sums over the receipts of a block, its prices, coinbase and gas limit. */
export interface BlockFacts extends BlockSettings {
  readonly gasUsed: bigint;
  /** In wei. */
  readonly baseFee: bigint;
  readonly logsBloom: Uint8Array;
  /** Roots of Ethereum's tries; only on chains with a state trie. */
  readonly roots?: { readonly [Trie in 'state' | 'transactions' | 'receipts']: Hexadecimal } | undefined;
  /** Absent: 0. */
  readonly blobGasUsed?: bigint;
  readonly excessBlobGas?: bigint;
}

/** Keccak-256 of the RLP of an empty list: the uncles hash of a block without uncles. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
const NO_WITHDRAWALS = toPrefixedHex(EMPTY_TRIE_ROOT);
/** SHA-256 of no bytes: the requests hash of a block without requests (EIP-7685). */
const NO_REQUESTS = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const ZERO = quantity(0);
const ZERO_WORD = zeroData(32);

/** The fields that geth leaves out of the pending block. */
const NONE_WHILE_PENDING = { hash: null, nonce: null, miner: null };

type HardforkFields = Pick<
  EthereumHeaderObject,
  'withdrawalsRoot' | 'blobGasUsed' | 'excessBlobGas' | 'parentBeaconBlockRoot' | 'requestsHash'
>;

const SHANGHAI: HardforkFields = { withdrawalsRoot: NO_WITHDRAWALS };
const CANCUN: HardforkFields = {
  ...SHANGHAI,
  blobGasUsed: ZERO,
  excessBlobGas: ZERO,
  parentBeaconBlockRoot: ZERO_WORD,
};
const PRAGUE: HardforkFields = { ...CANCUN, requestsHash: NO_REQUESTS };

/** Header fields that each hard fork added. */
const HARDFORK_FIELDS: Readonly<Record<Genesis['hardfork'], HardforkFields>> = {
  london: {},
  paris: {},
  shanghai: SHANGHAI,
  cancun: CANCUN,
  prague: PRAGUE,
  osaka: PRAGUE,
};

/** Maps a native block to a header object of Ethereum. */
export function toEthereumHeader(
  summary: BlockSummary,
  {
    gasUsed,
    logsBloom,
    baseFee,
    coinbase,
    gasLimit,
    roots,
    blobGasUsed = 0n,
    excessBlobGas = 0n,
  }: BlockFacts,
  { hardfork, fork }: ShownRules,
): EthereumHeaderObject {
  const followsFork = fork !== undefined && fork.isWhole !== true && summary.number === fork.number + 1;
  return {
    ...commonHeader(summary, coinbase, followsFork ? fork.hash : undefined),
    ...(summary.isPending === true && NONE_WHILE_PENDING),
    ...(roots && {
      stateRoot: roots.state,
      transactionsRoot: roots.transactions,
      receiptsRoot: roots.receipts,
    }),
    sha3Uncles: NO_UNCLES,
    logsBloom: toPrefixedHex(logsBloom),
    extraData: '0x',
    gasLimit: quantity(gasLimit),
    gasUsed: quantity(gasUsed),
    baseFeePerGas: quantity(baseFee),
    ...HARDFORK_FIELDS[hardfork],
    ...(blobGasUsed > 0n && { blobGasUsed: quantity(blobGasUsed) }),
    ...(excessBlobGas > 0n && { excessBlobGas: quantity(excessBlobGas) }),
  };
}

export function toEthereumBlock<T extends EthereumBlockObject['transactions'] | readonly object[]>(
  summary: BlockSummary,
  facts: BlockFacts,
  rules: ShownRules,
  transactions: T,
): Omit<EthereumBlockObject, 'transactions'> & { readonly transactions: T } {
  const header = toEthereumHeader(summary, facts, rules);
  const hasWithdrawals = header.withdrawalsRoot !== undefined;
  const body = { size: quantity(summary.size), uncles: [], ...(hasWithdrawals && { withdrawals: [] }) };
  return { ...header, ...body, transactions };
}
