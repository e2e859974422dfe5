import {
  accountId,
  type BlockId,
  blockId,
  concatBytes,
  encode,
  type SignedBlockHeader,
  sha256,
  signedBlockHeaderCodec,
  toBlockId,
  toSignature,
  utf8ToBytes,
  ZERO_HASH,
} from '../../../protocol/index.ts';
import type { ChainIdentity } from '../block-log.ts';
import type { LogMessage } from './entry.ts';
import type { LogMessages } from './stream-messages.ts';

/** A block as a log sees it: a header, and bytes behind it. */
export interface LogBlock {
  readonly number: number;
  readonly id: BlockId;
  readonly parent: BlockId;
  readonly bytes: Uint8Array;
}

/** The chain of a name. */
export function chainIdentity(name: string): ChainIdentity {
  const chainId = sha256(utf8ToBytes(name));
  return { chainId, genesisId: toBlockId(concatBytes(new Uint8Array(4), chainId.subarray(0, 16))) };
}

/** A block after another one; blocks with other words differ. */
export function blockAfter(number: number, parent: BlockId, words = '', size = 0): LogBlock {
  const header: SignedBlockHeader = {
    previous: parent,
    round: BigInt(number),
    attempt: 0,
    timestamp: 1_790_000_000 + (number % 1_000_000),
    account: accountId(10),
    delegate: accountId(10),
    transactionMerkleRoot: encodedRoot(),
    vmRoot: ['00'.repeat(64), words],
    prevSignatures: [],
    edSignature: toSignature(new Uint8Array(64)),
    rand: ZERO_HASH,
    cert: [],
  };
  const head = encode(signedBlockHeaderCodec, header);
  const rest = new Uint8Array(Math.max(0, size - head.length)).map((_, index) => index * number);
  return { number, id: blockId(number, head), parent, bytes: concatBytes(head, rest) };
}

function encodedRoot(): SignedBlockHeader['transactionMerkleRoot'] {
  // A root is 20 bytes, of which nothing is asked here.
  return new Uint8Array(20) as SignedBlockHeader['transactionMerkleRoot'];
}

/** So many blocks of a chain, one after the other. */
export function blocksOf(chain: ChainIdentity, count: number, sizeOf = (_number: number) => 0): LogBlock[] {
  const blocks: LogBlock[] = [];
  let parent = chain.genesisId;
  for (let number = 1; number <= count; number += 1) {
    const block = blockAfter(number, parent, '', sizeOf(number));
    blocks.push(block);
    parent = block.id;
  }
  return blocks;
}

/** A message with headers. */
export function messageWith(
  sequence: number,
  headers: Iterable<readonly [string, string]>,
  data: Uint8Array,
): LogMessage {
  const table = new Map(headers);
  return { sequence, header: (name) => table.get(name) ?? '', data };
}

/** Messages in memory instead of a stream's. */
export class MemoryMessages implements LogMessages {
  readonly messages: LogMessage[];
  readonly elections = 0;
  /** Number of queries of the leader. */
  queries = 0;

  constructor(messages: readonly LogMessage[]) {
    this.messages = [...messages];
  }

  async at(sequence: number): Promise<LogMessage | undefined> {
    this.queries += 1;
    return this.messages[sequence - 1];
  }

  async from(sequence: number): Promise<readonly LogMessage[]> {
    return this.messages.slice(sequence - 1, sequence + 99);
  }

  async last(): Promise<number> {
    return this.messages.length;
  }
}
