import { BoundedMap } from '../../bounded-map.ts';
import type { Ledger } from '../../ledger/index.ts';
import { NOTIFICATIONS_CHARACTERS_MAX } from '../../limits.ts';
import { type Feed, MissedError, type Reader } from './feed.ts';

/** What a block is told of with, and what once it has vanished. */
export interface BlockTelling {
  /** All that is told of a block, in order. */
  itemsOf(block: number): readonly string[];
  /**
   * What is told of blocks that are about to vanish, by block and in order; absent: nothing.
   *
   * @returns undefined where it is too much
   */
  vanishing?(first: number, last: number): ReadonlyMap<number, readonly string[]> | undefined;
}

/** What was found out of blocks before they vanished. */
interface Vanishing {
  /** The newest block that stays. */
  readonly last: number;
  readonly items: ReadonlyMap<number, Items> | undefined;
}

/** All that is told of a block, as bytes: made once for everybody. */
type Items = readonly Uint8Array[];

const NOTHING: ReadonlyMap<number, Items> = new Map();

/** Texts of blocks, which all feeds share: those of late stay. */
export class BlockTexts {
  readonly #texts = new BoundedMap<string, Items>(NOTIFICATIONS_CHARACTERS_MAX, (items) =>
    items.reduce((sum, { length }) => sum + length, 1),
  );

  of(feed: number, block: number, make: (block: number) => readonly string[]): Items {
    // Made for each that is told: short, so that it costs little.
    const key = `${block} ${feed}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const made = toBytes(make(block));
    this.#texts.set(key, made);
    return made;
  }

  forget(): void {
    this.#texts.clear();
  }
}

/** Tells of blocks: each reader is a place in the chain, which follows it when blocks vanish. */
export class BlockFeed implements Feed {
  readonly #ledger: Ledger;
  readonly #texts: BlockTexts;
  readonly #id: number;
  readonly #telling: BlockTelling;
  readonly #readers = new Set<BlockReader>();
  #vanishing: Vanishing | undefined;

  /** @param id tells it from all other feeds of these texts */
  constructor(ledger: Ledger, texts: BlockTexts, id: number, telling: BlockTelling) {
    this.#ledger = ledger;
    this.#texts = texts;
    this.#id = id;
    this.#telling = telling;
  }

  open(): Reader {
    const reader = new BlockReader(this.#ledger.head().number + 1, {
      head: () => this.#ledger.head().number,
      itemsOf: (block) => this.#texts.of(this.#id, block, (number) => this.#telling.itemsOf(number)),
      close: () => this.#readers.delete(reader),
    });
    this.#readers.add(reader);
    return reader;
  }

  /** Blocks behind one are about to vanish. */
  prepare(last: number): void {
    const { vanishing } = this.#telling;
    if (vanishing === undefined) {
      this.#vanishing = { last, items: NOTHING };
      return;
    }
    const texts = vanishing.call(this.#telling, last + 1, this.#ledger.head().number);
    const items = texts && new Map(Array.from(texts, ([block, ofBlock]) => [block, toBytes(ofBlock)]));
    this.#vanishing = { last, items };
  }

  /** The chain has another past now. */
  forget(): void {
    const head = this.#ledger.head().number;
    // What was prepared for something that failed then is of no use.
    const prepared = this.#vanishing;
    const vanished =
      prepared !== undefined && prepared.last <= head ? prepared : { last: head, items: NOTHING };
    this.#vanishing = undefined;
    for (const reader of this.#readers) reader.goBack(vanished);
  }
}

function toBytes(texts: readonly string[]): Items {
  return texts.map((text) => Buffer.from(text));
}

interface ReaderSource {
  head(): number;
  itemsOf(block: number): Items;
  close(): void;
}

class BlockReader implements Reader {
  readonly #source: ReaderSource;
  /** The block that it has come to, and how much of that was told. */
  #block: number;
  #told = 0;
  /** What is to be told of blocks that have vanished, first. */
  #removed: Items = [];
  #removedTold = 0;
  #hasMissed = false;

  constructor(block: number, source: ReaderSource) {
    this.#block = block;
    this.#source = source;
  }

  next(): Uint8Array | undefined {
    if (this.#hasMissed) throw new MissedError('too much has vanished with the blocks that were taken back');
    const removed = this.#removed[this.#removedTold];
    if (removed !== undefined) {
      this.#removedTold += 1;
      return removed;
    }
    this.#removed = [];
    this.#removedTold = 0;
    while (this.#block <= this.#source.head()) {
      const item = this.#source.itemsOf(this.#block)[this.#told];
      if (item !== undefined) {
        this.#told += 1;
        return item;
      }
      this.#block += 1;
      this.#told = 0;
    }
    return undefined;
  }

  goBack({ last, items }: Vanishing): void {
    if (this.#block <= last) return;
    if (items === undefined) this.#hasMissed = true;
    const removed = this.#removed.slice(this.#removedTold);
    for (const [block, texts] of items ?? NOTHING) {
      if (block < this.#block) removed.push(...texts);
      else if (block === this.#block) removed.push(...texts.slice(0, this.#told));
    }
    this.#removed = removed;
    this.#removedTold = 0;
    this.#block = last + 1;
    this.#told = 0;
  }

  close(): void {
    this.#source.close();
  }
}
