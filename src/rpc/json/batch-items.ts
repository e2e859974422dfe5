import { type JsonShape, ShapeScan } from './shape.ts';

/** Requests of a batch, by their index. */
export interface BatchItems {
  readonly length: number;
  at(index: number): unknown;
  /** The batch has to wait: what takes many times the bytes of its text is let go. */
  letGo?(): void;
}

/**
 * The items of a large array in JSON: those that were parsed until the batch has to wait, and from then on each is
 * parsed when it is asked for. Parsed all at once they take many times the bytes of the text.
 *
 * @param text UTF-8 of the array
 * @param parsed its items
 */
export function parsedUntilWaiting(text: Uint8Array, parsed: readonly unknown[]): BatchItems {
  let items: BatchItems = parsed;
  let isParsed = true;
  return {
    length: parsed.length,
    at: (index) => items.at(index),
    letGo: () => {
      if (isParsed) items = parsedOneByOne(text);
      isParsed = false; // and nothing here names `parsed`, which would keep it
    },
  };
}

/**
 * The items of an array in JSON, each parsed when it is asked for.
 *
 * @param text UTF-8 that is known to be a JSON array
 */
export function parsedOneByOne(text: Uint8Array): BatchItems {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
  const ends = endsOfItems(text);
  return {
    length: ends.length - 1,
    at: (index) => JSON.parse(bytes.toString('utf8', (ends[index] ?? 0) + 1, ends[index + 1])),
  };
}

/** Where the brackets of the array and the commas between its items are. An empty array counts as one item. */
function endsOfItems(text: Uint8Array): readonly number[] {
  const scan = new ShapeScan(ANY_SHAPE, Number.POSITIVE_INFINITY);
  scan.add(text);
  return scan.ends;
}

/** The text was parsed before. */
const ANY_SHAPE: JsonShape = {
  jsonDepthMax: Number.POSITIVE_INFINITY,
  jsonValuesMax: Number.POSITIVE_INFINITY,
};
