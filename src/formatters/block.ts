import type { BlockSummary } from '../ledger/index.ts';
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
import type { HeaderObject } from './objects.ts';

const ZERO = quantity(0);
const ZERO_NONCE = zeroData(8);
const ZERO_WORD = zeroData(32);
const ZERO_BLOOM = zeroData(LOGS_BLOOM_BYTES);
const ZERO_EXTRA_DATA = zeroData(1);

/** The first element of `vm_root` begins with the state root: 32 bytes in hexadecimal. */
const STATE_ROOT = /^[0-9a-f]{64}/i;

/** Maps a native block to the header fields that both profiles show alike. */
export function commonHeader(
  { id, header }: BlockSummary,
  miner = accountAddress(header.account),
  parentHash = blockHashOf(header.previous),
) {
  return {
    number: quantity(header.round),
    hash: toPrefixedHex(blockHashOf(id)),
    parentHash: toPrefixedHex(parentHash),
    nonce: ZERO_NONCE,
    mixHash: toPrefixedHex(header.rand),
    transactionsRoot: paddedData(header.transactionMerkleRoot),
    stateRoot: stateRootOf(header.vmRoot),
    receiptsRoot: ZERO_WORD,
    miner: toPrefixedHex(miner),
    difficulty: ZERO,
    timestamp: quantity(header.timestamp),
  };
}

/** Maps a native block to a block object without transactions (docs/interface.md#block-object). */
export function toHeader(summary: BlockSummary): HeaderObject {
  const gasUsed = quantity(summary.feesCollected);
  return {
    ...commonHeader(summary),
    sha3Uncles: ZERO_WORD,
    logsBloom: ZERO_BLOOM,
    totalDifficulty: ZERO,
    extraData: ZERO_EXTRA_DATA,
    size: quantity(summary.size),
    gasUsed,
    gasLimit: gasUsed,
    baseFeePerGas: ZERO,
    uncles: [],
  };
}

/** Returns the first 32 bytes of `vm_root`, which is free text; zero for a block without a state root. */
function stateRootOf(vmRoot: readonly string[]): Hexadecimal {
  const digits = STATE_ROOT.exec(vmRoot[0] ?? '')?.[0];
  return digits === undefined ? ZERO_WORD : `0x${digits.toLowerCase()}`;
}
