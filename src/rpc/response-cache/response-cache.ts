import { BoundedMap, type SharedBound } from '../../caching/bounded-map.ts';
import type {
  BlockObject,
  EthereumBlockObject,
  EthereumReceiptObject,
  EthereumTransactionObject,
  FeeHistory,
  ReceiptObject,
  TransactionObject,
} from '../../formatters/index.ts';
import type { BlockSummary } from '../../ledger/index.ts';
import { type RevertibleLedger, revertCheck } from '../blocks/block-operations.ts';
import { TRANSACTIONS_ADVICE } from '../blocks/receipts.ts';
import { ResponseBody } from '../json/response-body.ts';
import { writtenInPieces } from '../json/text-in-pieces.ts';

export type ProfileBlock = BlockObject | EthereumBlockObject;
export type ProfileTransaction = TransactionObject | EthereumTransactionObject;
export type ProfileReceipt = ReceiptObject | EthereumReceiptObject;

/** Estimated size of an entry without its text: key, text object and table slot. */
const ENTRY_CHARACTERS = 200;

/** An LRU cache of immutable results as text. */
export class ResponseBodyCache<Key, T> extends BoundedMap<Key, ResponseBody<T>> {
  constructor(characters: SharedBound) {
    super(characters, ({ length }) => length + ENTRY_CHARACTERS);
  }

  /** Returns the text of a key, and makes it if it is not cached. */
  of(key: Key, make: () => T): ResponseBody<T> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = new ResponseBody<T>(JSON.stringify(make()));
    this.set(key, made);
    return made;
  }

  /** Returns the text of a key, written in steps if it is not cached. @param advice for an error: too long a text */
  getOrWrite(key: Key, advice: string, write: () => Generator<string, void>): ResponseBody<T> {
    const cache = (text: string | Buffer): void => this.set(key, new ResponseBody<T>(text));
    return this.get(key) ?? writtenInPieces<T>(write(), advice, cache);
  }
}

/**
 * Results about included blocks, in the shapes of one profile. They never change while the ledger has the blocks. A
 * reorganisation clears the cache, since the same operation may get the same position with another receipt.
 */
export class ResponseCache {
  readonly #ledger: RevertibleLedger;
  /** By the hex of the shown hash of the included form: the pending form may become pending again. */
  readonly transactions: ResponseBodyCache<string, ProfileTransaction>;
  readonly receipts: ResponseBodyCache<string, ProfileReceipt>;
  /** By number, with transaction objects. */
  readonly fullBlocks: ResponseBodyCache<number, ProfileBlock>;
  /** By number, with transaction hashes. */
  readonly blocks: ResponseBodyCache<number, ProfileBlock>;
  /** By the oldest block and the numbers of blocks and rewards. */
  readonly feeHistories: ResponseBodyCache<string, FeeHistory>;

  /** @param characters bound of the texts, which the caches of a node share */
  constructor(ledger: RevertibleLedger, characters: SharedBound) {
    this.#ledger = ledger;
    this.transactions = new ResponseBodyCache(characters);
    this.receipts = new ResponseBodyCache(characters);
    this.fullBlocks = new ResponseBodyCache(characters);
    this.blocks = new ResponseBodyCache(characters);
    this.feeHistories = new ResponseBodyCache(characters);
    ledger.history.onReorg(() => {
      for (const texts of [this.transactions, this.receipts, this.fullBlocks, this.blocks]) texts.clear();
      this.feeHistories.clear();
    });
  }

  /**
   * Returns the object of a block, written in steps if it is not cached; null beyond the head, and without a number.
   * The steps throw BlockRevertedError.
   */
  block(
    number: number | undefined,
    fullTransactions: boolean,
    write: (block: BlockSummary) => Generator<string, void>,
  ): ResponseBody<ProfileBlock> | null {
    if (number === undefined) return null;
    const ledger = this.#ledger;
    const cache = fullTransactions ? this.fullBlocks : this.blocks;
    const known = cache.get(number);
    if (known !== undefined) return known;
    const block = ledger.blocks.blockByNumber(number);
    if (block === undefined) return null;
    return cache.getOrWrite(number, TRANSACTIONS_ADVICE, function* () {
      const check = revertCheck(ledger, block);
      yield* write(block);
      check();
    });
  }
}
