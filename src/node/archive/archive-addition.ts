import { BlockRejectedError, type Genesis, genesisCodec, type Ledger } from '../../ledger/index.ts';
import { WORK_SLICE_MS_MAX } from '../../limits.ts';
import {
  blockId,
  decode,
  encode,
  equalBytes,
  LedgerdError,
  signedBlockHeaderCodec,
} from '../../protocol/index.ts';
import { type Store, StoreError } from '../../store/index.ts';
import { nextTurn, systemTime } from '../../time.ts';
import { FollowError } from '../following/block-source.ts';
import { decodeBlock, decodeHeader } from '../following/received-block.ts';
import type { ArchiveItem } from './archive-reader.ts';
import { ArchiveError } from './errors.ts';

/** The chain that an archive is imported into. */
export interface FollowingChain {
  readonly store: Store;
  readonly ledger: Ledger;
}

/** Adds the blocks and patches of an archive to a chain, or compares them with those that it has. */
export class ArchiveAddition {
  readonly #chain: FollowingChain;
  /** The newest patches of the archive: the block before them, and their number. */
  #passed = { block: -1, patches: 0 };
  /** Number of blocks that the chain had already, with the same ids. */
  known = 0;
  /** True once a block or patch behind the last requested one has come. */
  isBeyond = false;

  constructor(chain: FollowingChain) {
    this.#chain = chain;
  }

  /**
   * Adds a block or a patch.
   *
   * @param to the last block that is added, and the patches after it
   * @throws ArchiveError, and what `Ledger.chain.importBlock` and the store throw
   */
  async add(item: Extract<ArchiveItem, { kind: 'block' | 'patch' }>, to: number): Promise<void> {
    const number = item.kind === 'block' ? item.number : item.block;
    this.isBeyond = number > to;
    if (this.isBeyond) return;
    if (item.kind === 'block') await this.#addBlock(number, item.bytes);
    else this.#addPatch(number, item.sequence, item.record);
  }

  async #addBlock(number: number, bytes: Uint8Array): Promise<void> {
    const { ledger } = this.#chain;
    const head = ledger.blocks.head().number;
    requireNotAfter(number, head + 1, head);
    const header = await reading(`block ${number}`, () => decodeHeader(bytes));
    if (header.round !== BigInt(number)) {
      const message = `block ${header.round} stands in the archive at the place of block ${number}`;
      throw new ArchiveError('DAMAGED', message);
    }
    if (number === head + 1) {
      this.#requireSamePatches(head);
      ledger.chain.checkNextHeader(header);
      const steps = ledger.chain.beginImport(await reading(`block ${number}`, () => decodeBlock(bytes)));
      while (!steps.make(systemTime.now() + WORK_SLICE_MS_MAX)) await nextTurn(systemTime);
      steps.store(Number.POSITIVE_INFINITY);
      return;
    }
    if (ledger.blocks.blockById(blockId(number, encode(signedBlockHeaderCodec, header))) === undefined) {
      const message = `block ${number} of the archive is not that of the chain: they are different from there on`;
      throw new ArchiveError('OTHER_CHAIN', message);
    }
    this.known += 1;
  }

  /** Rejects missing patches: the next block does not follow then, and does not always show it. */
  #requireSamePatches(head: number): void {
    const { patchCount } = this.#chain.ledger.chain;
    const given = this.#passed.block === head ? this.#passed.patches : 0;
    if (given === patchCount) return;
    const message = `the chain has ${patchCount} patches after block ${head}, and the archive has ${given}`;
    throw new ArchiveError('OTHER_CHAIN', message);
  }

  #addPatch(block: number, sequence: number, record: Uint8Array): void {
    const { ledger, store } = this.#chain;
    const head = ledger.blocks.head().number;
    requireNotAfter(block, head, head);
    this.#passed = { block, patches: sequence };
    const what = `patch ${sequence} after block ${block} of the archive`;
    if (sequence <= store.patchCount(block)) {
      const own = store.patchAt(block, sequence);
      if (own !== undefined && equalBytes(own, record)) return;
    } else if (block === head) {
      applying(what, () => ledger.chain.importPatch(record));
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

/** Runs an action of the ledger, whose refusal means a damaged archive. */
function applying(what: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    if (!(cause instanceof LedgerdError) || cause instanceof StoreError) throw cause;
    throw new ArchiveError('DAMAGED', `${what} cannot be applied: ${cause.message}`, { cause });
  }
}

/** Decodes a genesis. @throws ArchiveError DAMAGED */
export function decodeGenesis(bytes: Uint8Array): Genesis {
  try {
    return decode(genesisCodec, bytes);
  } catch (cause) {
    throw unreadable('the genesis', cause);
  }
}

async function reading<T>(what: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw cause instanceof BlockRejectedError ? cause : unreadable(what, cause);
  }
}

/** Makes the error for undecodable bytes; any other failure is returned as it is. */
function unreadable(what: string, cause: unknown): unknown {
  if (!(cause instanceof LedgerdError)) return cause;
  const reason = cause instanceof FollowError && cause.cause instanceof Error ? cause.cause : cause;
  return new ArchiveError('DAMAGED', `${what} of the archive can't be read: ${reason.message}`, { cause });
}
