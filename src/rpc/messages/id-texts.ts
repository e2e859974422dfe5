const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Finds the texts of the members `id` of an object, or of the items of an array: by item, in valid JSON. */
export function idTextsOf(text: string): (string | undefined)[] {
  const isBatch = /^\s*\[/.test(text);
  /** Depth of the members of a request. */
  const membersDepth = isBatch ? 2 : 1;
  const found: (string | undefined)[] = [];
  let item = 0;
  let depth = 0;
  let nameStart = 0;
  let start = 0;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      if (start === 0) nameStart = position;
      position = endOfString(text, position + 1);
    } else if (OPENING.has(code)) depth += 1;
    else if (code === COLON) {
      if (depth === membersDepth && text.startsWith('"id"', nameStart)) start = position + 1;
    } else if (code === COMMA || CLOSING.has(code)) {
      if (start > 0 && depth === membersDepth) {
        found[item] = text.slice(start, position).trim();
        start = 0;
      }
      if (code !== COMMA) depth -= 1;
      else if (isBatch && depth === 1) item += 1;
    }
  }
  return found;
}

/** Returns the position of the quote that ends a string. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); ; end = text.indexOf('"', end + 1)) {
    let start = end;
    while (text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
    if ((end - start) % 2 === 0) return end;
  }
}
