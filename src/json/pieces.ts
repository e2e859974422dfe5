/** Values and characters of a piece, except for an item that has more. */
const PIECE_COST = 8_192;

const NOT_ASCII = /[\u0080-\uffff]/g;

/** Yields the JSON text of a parsed JSON value in short pieces of ASCII characters. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  if (isShort(value)) yield asciiJson(value);
  else if (typeof value === 'string') yield* stringPieces(value);
  else if (Array.isArray(value)) {
    yield '[';
    yield* itemPieces(value);
    yield ']';
  } else {
    yield '{';
    yield* memberPieces(Object(value));
    yield '}';
  }
}

/** Yields the text of the items of an array, without its brackets. */
export function* itemPieces(items: readonly unknown[]): Generator<string, void> {
  for (let start = 0; start < items.length; ) {
    let end = start;
    for (let left = PIECE_COST; end < items.length; end += 1) {
      left = costWithin(items[end], left);
      if (left < 0) break;
    }
    if (start > 0) yield ',';
    if (end > start) yield asciiJson(items.slice(start, end)).slice(1, -1);
    else yield* jsonPieces(items[end++]);
    start = end;
  }
}

function* memberPieces(value: Readonly<Record<string, unknown>>): Generator<string, void> {
  let separator = '';
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    const start = `${separator}${asciiJson(name)}:`;
    if (isShort(member)) yield start + asciiJson(member);
    else {
      yield start;
      yield* jsonPieces(member);
    }
    separator = ',';
  }
}

/** Yields the text of a long string. Halves of a pair of surrogates are escaped like other characters. */
function* stringPieces(text: string): Generator<string, void> {
  yield '"';
  for (let start = 0; start < text.length; start += PIECE_COST) {
    yield asciiJson(text.slice(start, start + PIECE_COST)).slice(1, -1);
  }
  yield '"';
}

/** Returns true for a value that is written in one piece. */
export function isShort(value: unknown): boolean {
  return costWithin(value, PIECE_COST) >= 0;
}

/** Returns the rest of a cost after that of a value; a negative number if it is not enough. */
function costWithin(value: unknown, most: number): number {
  if (typeof value === 'string') return most - value.length - 1;
  let left = most - 1;
  if (typeof value !== 'object' || value === null) return left;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (members.length > left) return -1;
  for (const member of members) {
    left = costWithin(member, left);
    if (left < 0) return left;
  }
  return left;
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(NOT_ASCII, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
