import { BLOCK_NUMBER_MAX } from '../../consensus.ts';
import {
  type AccountId,
  type BlockHeader,
  type BlockId,
  blockHeaderCodec,
  blockId,
  encode,
  encodeAfter,
  type Hash,
  headerDigest,
  headerSignatureCodec,
  type PublicKey,
  type Signature,
  type SignedBlockHeader,
  signedBlockHeaderCodec,
} from '../../protocol/index.ts';
import { type BlockPrices, pricesAfter } from '../chain/block-fees.ts';
import type { BlockInputs } from '../chain/block-inputs.ts';
import { nextSettings } from '../chain/block-settings.ts';
import type { Chain } from '../chain/chain.ts';
import type { MovableClock } from '../chain/clock.ts';
import type { BlockSummary } from '../chain/records.ts';
import { BlockRejectedError } from '../errors/chain-errors.ts';
import { refuse } from '../errors/refusal.ts';
import {
  attemptSeconds,
  type ChainOrigin,
  type OriginSource,
  producerOf,
} from '../genesis/chain-parameters.ts';
import type { Genesis } from '../genesis/genesis.ts';
import type { AppliedBlock } from './conclude-block.ts';

/** Assembles a header from the inputs of a block and the results of its transactions. */
export function assembleHeader(
  previous: BlockId,
  inputs: BlockInputs,
  delegate: AccountId,
  applied: AppliedBlock,
): BlockHeader {
  return {
    previous,
    round: BigInt(inputs.number),
    attempt: inputs.attempt,
    timestamp: inputs.timestamp,
    account: inputs.account,
    delegate,
    transactionMerkleRoot: applied.transactionMerkleRoot,
    vmRoot: applied.vmRoot,
    prevSignatures: [],
  };
}

/** A signed header with its encoding. */
export interface EncodedHeader {
  readonly header: SignedBlockHeader;
  readonly headerBytes: Uint8Array;
}

export function encodeHeader(header: SignedBlockHeader): EncodedHeader {
  return { header, headerBytes: encode(signedBlockHeaderCodec, header) };
}

/** A consensus key of a producer: a key pair of this process, or one that signs elsewhere. */
export interface BlockSigner {
  readonly publicKey: PublicKey;
  /** Signs the digest of a header. */
  sign(digest: Uint8Array): Signature | Promise<Signature>;
}

/** Signs a header, synchronously with a key pair of this process. */
export function signHeader(
  header: BlockHeader,
  rand: Hash,
  signer: BlockSigner,
  chainId: Hash,
): EncodedHeader | Promise<EncodedHeader> {
  const unsigned = encode(blockHeaderCodec, header);
  const complete = (edSignature: Signature): EncodedHeader => {
    const signed: SignedBlockHeader = { edSignature, rand, cert: [], ...header };
    return { header: signed, headerBytes: encodeAfter(unsigned, headerSignatureCodec, signed) };
  };
  const signature = signer.sign(headerDigest(chainId, unsigned));
  return signature instanceof Promise ? signature.then(complete) : complete(signature);
}

/**
 * Checks that enough time has passed for the skipped producers of a block. Throws `BlockRejectedError`.
 * @param previous the header before it
 */
export function checkAttempt(
  genesis: Pick<Genesis, 'blockInterval'>,
  previous: Pick<SignedBlockHeader, 'timestamp'>,
  block: Pick<SignedBlockHeader, 'round' | 'attempt' | 'timestamp'>,
): void {
  const { round, attempt, timestamp } = block;
  const passed = timestamp - previous.timestamp;
  const least = attemptSeconds(genesis, attempt);
  if (passed >= least) return;
  throw new BlockRejectedError(
    round,
    'attempt',
    `it is ${attempt} after ${passed} s, and may be that after ${least} s at the earliest`,
  );
}

/** Returns the length of a count as a varint, in bytes. */
function varintLength(count: number): number {
  let length = 1;
  for (let rest = Math.floor(count / 128); rest > 0; rest = Math.floor(rest / 128)) length += 1;
  return length;
}

/** Summarizes a block: computes its id, and its size without serializing the transactions again. */
export function summarize(
  number: number,
  { header, headerBytes }: EncodedHeader,
  applied: AppliedBlock,
): BlockSummary {
  let size = headerBytes.length + varintLength(applied.transactions.length);
  for (const { bytes } of applied.transactions) size += bytes.length;
  return {
    number,
    id: blockId(number, headerBytes),
    header,
    size,
    feesCollected: applied.feesCollected,
    operationCount: applied.receipts.length,
  };
}

/** The chain from which the number, the producer and the time of the next block are derived. */
export interface NextBlockSource extends OriginSource {
  readonly chain: Chain;
  readonly clock: MovableClock;
}

export interface NextBlockOptions {
  /** Number of skipped producers; absent: none. */
  readonly attempt?: number | undefined;
  /** Time stamp in Unix seconds, not before the head's; absent: the clock's time. */
  readonly timestamp?: number | undefined;
}

/** Returns the prices of the next block: those that a patch has set, or those after the head. */
export function nextPrices(chain: Chain, { rules }: ChainOrigin): BlockPrices {
  const { number, header } = chain.head();
  const prices = pricesAfter(number, header, rules);
  const { baseFee } = chain.nextPatched();
  return baseFee === undefined ? prices : { ...prices, baseFee };
}

/** Returns the inputs of the next block, if it were made now. Throws `RefusedError` after the last possible number. */
export function nextInputs(
  { chain, clock, origin }: NextBlockSource,
  { attempt = 0, timestamp }: NextBlockOptions = {},
): BlockInputs {
  const head = chain.head();
  const number = head.number + 1;
  if (number > BLOCK_NUMBER_MAX) refuse({ code: 'noMoreBlocks', last: head.number });
  return {
    number,
    attempt,
    timestamp: timestamp ?? clock.nextTimestamp(head.header.timestamp),
    account: producerOf(origin.genesis, number, attempt),
    rand: chain.nextPatched().rand,
    prices: nextPrices(chain, origin),
    settings: nextSettings(head, chain.nextPatched(), origin.rules),
  };
}
