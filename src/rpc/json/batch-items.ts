import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, endOfString, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './shape.ts';

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
function endsOfItems(text: Uint8Array): number[] {
  const ends: number[] = [];
  let depth = 0;
  for (let position = 0; position < text.length; position += 1) {
    const byte = text[position];
    if (byte === QUOTE) {
      position = endOfString(text, position + 1);
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      if (depth === 1) ends.push(position);
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      depth -= 1;
      if (depth === 0) ends.push(position);
    } else if (byte === COMMA && depth === 1) {
      ends.push(position);
    }
  }
  return ends;
}
