import { INCLUDED_ANSWERS_CHARACTERS_MAX } from '../limits.ts';
import type { BlockObject, ReceiptObject, TransactionObject } from '../view/index.ts';
import { JsonText } from './json/json-text.ts';

/** What an entry takes beside its text, about: key, text object and a place in the table. */
const ENTRY_CHARACTERS = 200;

/**
 * Answers that never change, as text. What was used of late stays: entries are kept in two generations, the younger
 * takes what is asked for, and once it has half of the bound the older one goes.
 */
export class AnswerCache<K, T> {
  readonly #generationMax: number;
  #young = new Map<K, JsonText<T>>();
  #old = new Map<K, JsonText<T>>();
  /** Characters of the younger generation. */
  #characters = 0;

  /** @param charactersMax of all texts together, with what they take beside */
  constructor(charactersMax: number) {
    this.#generationMax = charactersMax / 2;
  }

  /** The text of a key, where it is known. */
  get(key: K): JsonText<T> | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.#keep(key, old);
    return old;
  }

  /** The text of a key, made where it is not known. */
  of(key: K, make: () => T): JsonText<T> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = new JsonText<T>(JSON.stringify(make()));
    this.#keep(key, made);
    return made;
  }

  #keep(key: K, answer: JsonText<T>): void {
    const characters = answer.text.length + ENTRY_CHARACTERS;
    if (characters > this.#generationMax) return;
    this.#characters += characters;
    if (this.#characters > this.#generationMax) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#characters = characters;
    }
    this.#young.set(key, answer);
  }
}

/**
 * What was answered of blocks. Nothing of a block, of its transactions or of their receipts ever changes, and blocks
 * are taken away only between two runs of the node, so that the texts hold as long as the process.
 */
export class IncludedAnswers {
  /** By the hex of the hash in its included form: that of the pending form may come to mean a pending one again. */
  readonly transactions = new AnswerCache<string, TransactionObject>(INCLUDED_ANSWERS_CHARACTERS_MAX);
  /** By the same. */
  readonly receipts = new AnswerCache<string, ReceiptObject>(INCLUDED_ANSWERS_CHARACTERS_MAX);
  /** By number, those with transaction objects. */
  readonly fullBlocks = new AnswerCache<number, BlockObject>(INCLUDED_ANSWERS_CHARACTERS_MAX);
  /** By number, those with the hashes of their transactions. */
  readonly blocks = new AnswerCache<number, BlockObject>(INCLUDED_ANSWERS_CHARACTERS_MAX);
}
