import { BoundedMap } from '../../bounded-map.ts';
import type { LedgerQueries } from '../../ledger/index.ts';
import { FEE_HISTORIES_CHARACTERS_MAX, INCLUDED_ANSWERS_CHARACTERS_MAX } from '../../limits.ts';
import type {
  BlockObject,
  EthereumBlockObject,
  EthereumReceiptObject,
  EthereumTransactionObject,
  FeeHistory,
  ReceiptObject,
  TransactionObject,
} from '../../view/index.ts';
import { ResponseBody } from '../json/response-body.ts';
import { TextSteps } from '../json/text-steps.ts';

export type ProfileBlock = BlockObject | EthereumBlockObject;
export type ProfileTransaction = TransactionObject | EthereumTransactionObject;
export type ProfileReceipt = ReceiptObject | EthereumReceiptObject;

/** What an entry takes beside its text, about: key, text object and a place in the table. */
const ENTRY_CHARACTERS = 200;

/** Results that never change, as text. What was used of late stays. */
export class AnswerCache<Key, T> extends BoundedMap<Key, ResponseBody<T>> {
  /** @param charactersMax of all texts together, with what they take beside */
  constructor(charactersMax: number) {
    super(charactersMax, ({ length }) => length + ENTRY_CHARACTERS);
  }

  /** The text of a key, made where it is not known. */
  of(key: Key, make: () => T): ResponseBody<T> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = new ResponseBody<T>(JSON.stringify(make()));
    this.set(key, made);
    return made;
  }

  /** The text of a key that is written in steps where it is not known. @param advice where it is too long */
  inSteps(key: Key, advice: string, write: () => Generator<string, void>): ResponseBody<T> {
    const keep = (text: string | Buffer): void => this.set(key, new ResponseBody<T>(text));
    return this.get(key) ?? new ResponseBody<T>(new TextSteps(write(), { advice, keep }));
  }
}

/**
 * What was answered of blocks, in the shapes of one profile. Nothing of a block, of its transactions or of their
 * receipts changes, so that the texts hold as long as the ledger has its blocks. With another past the same operation
 * may come to the same place with another receipt: everything is forgotten then.
 */
export class ResponseCache {
  /** @param ledger whose blocks these are */
  constructor(ledger: Pick<LedgerQueries, 'onForgotten'>) {
    ledger.onForgotten(() => {
      for (const texts of [this.transactions, this.receipts, this.fullBlocks, this.blocks]) texts.clear();
      this.feeHistories.clear();
    });
  }

  /**
   * By the hex of the hash that the profile shows of what is in a block, and is asked with: that of the native pending
   * form may come to mean a pending one again.
   */
  readonly transactions = new AnswerCache<string, ProfileTransaction>(INCLUDED_ANSWERS_CHARACTERS_MAX);
  /** By the same. */
  readonly receipts = new AnswerCache<string, ProfileReceipt>(INCLUDED_ANSWERS_CHARACTERS_MAX);
  /** By number, those with transaction objects. */
  readonly fullBlocks = new AnswerCache<number, ProfileBlock>(INCLUDED_ANSWERS_CHARACTERS_MAX);
  /** By number, those with the hashes of their transactions. */
  readonly blocks = new AnswerCache<number, ProfileBlock>(INCLUDED_ANSWERS_CHARACTERS_MAX);
  /** By the oldest block, how many blocks, and how many rewards. */
  readonly feeHistories = new AnswerCache<string, FeeHistory>(FEE_HISTORIES_CHARACTERS_MAX);
}
