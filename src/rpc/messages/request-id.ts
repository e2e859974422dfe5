/** The JSON text of the id of a request, repeated in its response. */
export type RequestId = string;

/** The id of a request without one. */
export const NO_ID: RequestId = 'null';

/** The text of an id that a parsed value would not give again, such as `1.0`: it takes the place of the id. */
class IdText {
  readonly text: RequestId;

  constructor(text: RequestId) {
    this.text = text;
  }
}

/** Returns the text of a parsed id; undefined for anything but a string, a number or null. */
export function textOfId(id: unknown): RequestId | undefined {
  if (typeof id === 'number') return `${id}`;
  if (typeof id === 'string' || id === null) return JSON.stringify(id);
  return id instanceof IdText ? id.text : undefined;
}

/** A member `id` of any object whose value may be written differently than it was read. */
const UNUSUAL_ID = /"id"\s*:(?!\s*(?:0|-?[1-9]\d{0,14}|"[^"\\]*"|null)\s*[,}])/;

/** Keeps the texts of unusual ids in the parsed value of a text: in a request, or in the requests of a batch. */
export function keepIdTexts(text: string, value: unknown): void {
  if (!UNUSUAL_ID.test(text)) return;
  const requests: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, idText] of idTextsOf(text).entries()) {
    const request = requests[index];
    if (idText === undefined || typeof request !== 'object' || request === null) continue;
    if ('id' in request && textOfId(request.id) !== undefined) request.id = new IdText(idText);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Finds the texts of the members `id` of an object, or of the items of an array: by item, in valid JSON. */
function idTextsOf(text: string): (string | undefined)[] {
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
