import type { BlockSummary, IncludedOperation } from '../ledger/index.ts';
import {
  accountAddress,
  blockHashOf,
  type Hexadecimal,
  paddedData,
  quantity,
  toPrefixedHex,
  zeroData,
} from '../protocol/index.ts';
import { LOGS_BLOOM_BYTES } from './logs-bloom.ts';
import type { DetailedBlockObject, HeaderObject } from './objects.ts';
import { toTransaction } from './transaction.ts';

const ZERO = quantity(0);
const ZERO_NONCE = zeroData(8);
const ZERO_WORD = zeroData(32);
const ZERO_BLOOM = zeroData(LOGS_BLOOM_BYTES);
const ZERO_EXTRA_DATA = zeroData(1);

/** The first element of `vm_root` begins with the state root: 32 bytes in hexadecimal. */
const STATE_ROOT = /^[0-9a-f]{64}/i;

/** The outcome of an operation. */
interface OperationDetails {
  readonly output: Uint8Array;
  readonly revertReason: string | null;
}

/** Maps a native block to a block object whose transactions have their outcomes. */
export function toDetailedBlock(
  summary: BlockSummary,
  operations: readonly IncludedOperation[],
  detailsOf: (operation: IncludedOperation) => OperationDetails,
): DetailedBlockObject {
  const transactions = operations.map((operation) => {
    const { output, revertReason } = detailsOf(operation);
    return { ...toTransaction(operation), output: toPrefixedHex(output), revertReason };
  });
  return { ...toHeader(summary), transactions };
}

/** Maps a native block to a block object without transactions (docs/interface.md#block-object). */
export function toHeader(summary: BlockSummary): HeaderObject {
  const { header } = summary;
  const gasUsed = quantity(summary.feesCollected);
  return {
    number: quantity(header.round),
    hash: toPrefixedHex(blockHashOf(summary.id)),
    parentHash: toPrefixedHex(blockHashOf(header.previous)),
    nonce: ZERO_NONCE,
    sha3Uncles: ZERO_WORD,
    logsBloom: ZERO_BLOOM,
    transactionsRoot: paddedData(header.transactionMerkleRoot),
    stateRoot: stateRootOf(header.vmRoot),
    receiptsRoot: ZERO_WORD,
    miner: toPrefixedHex(accountAddress(header.account)),
    difficulty: ZERO,
    totalDifficulty: ZERO,
    extraData: ZERO_EXTRA_DATA,
    size: quantity(summary.size),
    gasUsed,
    gasLimit: gasUsed,
    baseFeePerGas: ZERO,
    mixHash: toPrefixedHex(header.rand),
    timestamp: quantity(header.timestamp),
    uncles: [],
  };
}

/** Takes the first 32 bytes of the first element; zero where a block has none, as `vm_root` is free text. */
function stateRootOf(vmRoot: readonly string[]): Hexadecimal {
  const digits = STATE_ROOT.exec(vmRoot[0] ?? '')?.[0];
  return digits === undefined ? ZERO_WORD : `0x${digits.toLowerCase()}`;
}
