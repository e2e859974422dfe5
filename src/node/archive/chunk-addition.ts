import type { Genesis, Ledger } from '../../ledger/index.ts';
import { genesisCodec } from '../../ledger/index.ts';
import {
  type Block,
  blockCodec,
  blockId,
  decode,
  encode,
  equalBytes,
  LedgerdError,
  signedBlockHeaderCodec,
} from '../../protocol/index.ts';
import { type Store, StoreError } from '../../store/index.ts';
import type { ArchiveChunk } from './archive-reader.ts';
import { ArchiveError } from './errors.ts';

/** A chain that takes what an archive has. */
export interface FollowingChain {
  readonly store: Store;
  readonly ledger: Ledger;
}

/** Adds the chunks of an archive to a chain, or compares them with what is there. */
export class ChunkAddition {
  readonly #chain: FollowingChain;
  /** The patches that the archive has had of late: after which block, and how many. */
  #passed = { block: -1, patches: 0 };
  #known = 0;
  #isBeyond = false;

  constructor(chain: FollowingChain) {
    this.#chain = chain;
  }

  /** Blocks that were there already, with the same ids. */
  get known(): number {
    return this.#known;
  }

  /** Whether the last block that was asked for has come, and its patches. */
  get isBeyond(): boolean {
    return this.#isBeyond;
  }

  /**
   * The steps of adding a chunk: each a block or a patch.
   *
   * @param to the last block that is added, and the patches after it
   */
  *steps(chunk: ArchiveChunk, to: number): Generator<() => void> {
    if (chunk.kind === 'clock') return;
    const bytes = chunk.kind === 'blocks' ? chunk.blocks : chunk.records;
    for (const [index, item] of bytes.entries()) {
      const number = chunk.kind === 'blocks' ? chunk.first + index : chunk.block;
      this.#isBeyond = number > to;
      if (this.#isBeyond) return;
      yield chunk.kind === 'blocks'
        ? () => this.#addBlock(number, item)
        : () => this.#addPatch(number, chunk.sequence + index, item);
    }
  }

  /** @throws ArchiveError, and what `Ledger.importBlock` throws */
  #addBlock(number: number, bytes: Uint8Array): void {
    const { ledger } = this.#chain;
    const head = ledger.head().number;
    requireNotAfter(number, head + 1, head);
    const block = decodeBlock(number, bytes);
    if (number === head + 1) {
      this.#requireSamePatches(head);
      ledger.importBlock(block);
      return;
    }
    const { transactions: _transactions, ...header } = block;
    const id = blockId(number, encode(signedBlockHeaderCodec, header));
    if (ledger.blockById(id) === undefined) {
      const message = `block ${number} of the archive is not that of the chain: they are different from there on`;
      throw new ArchiveError('OTHER_CHAIN', message);
    }
    this.#known += 1;
  }

  /** Else the next block does not follow, and not in each case it would tell. */
  #requireSamePatches(head: number): void {
    const { patchCount } = this.#chain.ledger;
    const given = this.#passed.block === head ? this.#passed.patches : 0;
    if (given === patchCount) return;
    const message = `the chain has ${patchCount} patches after block ${head}, and the archive has ${given}`;
    throw new ArchiveError('OTHER_CHAIN', message);
  }

  /** @throws ArchiveError, and what the store throws */
  #addPatch(block: number, sequence: number, record: Uint8Array): void {
    const { ledger, store } = this.#chain;
    const head = ledger.head().number;
    requireNotAfter(block, head, head);
    this.#passed = { block, patches: sequence };
    const what = `patch ${sequence} after block ${block} of the archive`;
    if (sequence <= store.patchCount(block)) {
      const own = store.patchAt(block, sequence);
      if (own !== undefined && equalBytes(own, record)) return;
    } else if (block === head) {
      applying(what, () => ledger.importPatch(record));
      return;
    }
    const message = `${what} is not that of the chain: they are different from there on`;
    throw new ArchiveError('OTHER_CHAIN', message);
  }
}

function requireNotAfter(number: number, most: number, head: number): void {
  if (number <= most) return;
  const message = `the archive goes on with block ${number}, and block ${head + 1} is needed`;
  throw new ArchiveError('MISSING_BLOCKS', message);
}

/** What the ledger refuses is wrong in the archive. */
function applying(what: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    if (!(cause instanceof LedgerdError) || cause instanceof StoreError) throw cause;
    throw new ArchiveError('DAMAGED', `${what} cannot be applied: ${cause.message}`, { cause });
  }
}

function decodeBlock(number: number, bytes: Uint8Array): Block {
  const block = decoding(`block ${number}`, () => decode(blockCodec, bytes));
  if (block.round === BigInt(number)) return block;
  throw new ArchiveError(
    'DAMAGED',
    `block ${block.round} stands in the archive at the place of block ${number}`,
  );
}

/** @throws ArchiveError DAMAGED for a genesis that cannot be read */
export function decodeGenesis(bytes: Uint8Array): Genesis {
  return decoding('the genesis', () => decode(genesisCodec, bytes));
}

function decoding<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    if (!(cause instanceof LedgerdError)) throw cause;
    throw new ArchiveError('DAMAGED', `${what} of the archive can't be read: ${cause.message}`, { cause });
  }
}
