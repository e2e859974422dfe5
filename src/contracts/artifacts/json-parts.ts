import { messageOf } from '../../protocol/index.ts';

/** The error of JSON that is not an artifact of a known kind. */
export class ArtifactError extends Error {}

/** Members of interest in an object: `*` stands for every name, `true` for a value that is not looked into. */
export type Wanted = true | { readonly [name: string]: Wanted };

/** A value of a JSON text: its bytes, and its wanted members if it is an object. */
export interface JsonPart {
  readonly start: number;
  readonly end: number;
  readonly members?: ReadonlyMap<string, JsonPart>;
}

/** Bytes of a JSON text that are searched in one step. */
const STEP_BYTES = 256 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LEFT_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const RIGHT_BRACKET = 0x5d;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;
const SPACE = 0x20;

/**
 * Finds parts of a JSON text without parsing it, in steps between which other tasks may run. Parts are malformed if the
 * text is.
 *
 * @throws ArtifactError for a text without an end, or without names of members
 */
export function* findParts(bytes: Buffer, wanted: Wanted): Generator<void, JsonPart> {
  return yield* new PartFinder(bytes).value(wanted);
}

class PartFinder {
  readonly #bytes: Buffer;
  #at = 0;
  #stepEnd = STEP_BYTES;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  *value(wanted: Wanted): Generator<void, JsonPart> {
    this.#skipSpace();
    const start = this.#at;
    if (wanted === true || this.#bytes[start] !== LEFT_BRACE) {
      for (let depth = 0; ; ) {
        depth = this.#skip(depth);
        if (depth === 0) break;
        yield this.#endStep();
      }
      return { start, end: this.#at };
    }
    const members = new Map<string, JsonPart>();
    this.#at += 1;
    for (this.#skipSpace(); this.#bytes[this.#at] !== RIGHT_BRACE; this.#skipSpace()) {
      const name = this.#name();
      const inner = Object.hasOwn(wanted, name) ? wanted[name] : wanted['*'];
      const part = yield* this.value(inner ?? true);
      if (inner !== undefined) members.set(name, part);
      this.#skipSpace();
      if (this.#bytes[this.#at] === COMMA) this.#at += 1;
      if (this.#at >= this.#stepEnd) yield this.#endStep();
    }
    this.#at += 1;
    return { start, end: this.#at, members };
  }

  #endStep(): void {
    this.#stepEnd = this.#at + STEP_BYTES;
  }

  /** Skips the rest of a value at a depth of brackets, up to the end of the step. Returns the depth that is left. */
  #skip(from: number): number {
    let depth = from;
    while (this.#at < this.#bytes.length) {
      const byte = this.#bytes[this.#at];
      const isEnd = byte === RIGHT_BRACE || byte === RIGHT_BRACKET;
      if (depth === 0 && (isEnd || byte === COMMA)) return 0;
      if (byte === QUOTE) this.#skipText();
      else this.#at += 1;
      if (byte === LEFT_BRACE || byte === LEFT_BRACKET) depth += 1;
      else if (isEnd) depth -= 1;
      if (depth === 0 && (isEnd || byte === QUOTE)) return 0;
      if (depth > 0 && this.#at >= this.#stepEnd) return depth;
    }
    if (depth > 0) throw new ArtifactError('the JSON ends too early');
    return 0;
  }

  #skipText(): void {
    let escapes = 1;
    // A quote behind an odd number of backslashes belongs to the text.
    for (let end = this.#at; escapes % 2 === 1; this.#at = end + 1) {
      end = this.#bytes.indexOf(QUOTE, end + 1);
      if (end < 0) throw new ArtifactError('the JSON ends too early');
      for (escapes = 0; this.#bytes[end - escapes - 1] === BACKSLASH; ) escapes += 1;
    }
  }

  #name(): string {
    const start = this.#at;
    if (this.#bytes[start] !== QUOTE)
      throw new ArtifactError(`expected the name of a member at byte ${start}`);
    this.#skipText();
    const name = parsed(this.#bytes.toString('utf8', start, this.#at));
    this.#skipSpace();
    if (typeof name !== 'string' || this.#bytes[this.#at] !== COLON) {
      throw new ArtifactError(`expected a member at byte ${start}`);
    }
    this.#at += 1;
    return name;
  }

  #skipSpace(): void {
    while ((this.#bytes[this.#at] ?? COLON) <= SPACE) this.#at += 1;
  }
}

/** Returns the text of a part; undefined if its file has changed. */
export type ReadPart = (part: JsonPart) => string | undefined;

/** A value of a JSON text, which is parsed when it is requested. */
export class JsonValue {
  readonly #read: ReadPart;
  readonly #part: JsonPart;

  constructor(read: ReadPart, part: JsonPart) {
    this.#read = read;
    this.#part = part;
  }

  /** Bytes of the text. */
  get bytes(): number {
    return this.#part.end - this.#part.start;
  }

  /** Returns a wanted member, by the names on the way to it. */
  at(...names: readonly string[]): JsonValue | undefined {
    let part: JsonPart | undefined = this.#part;
    for (const name of names) part = part?.members?.get(name);
    return part && new JsonValue(this.#read, part);
  }

  /** Returns the wanted members. @throws ArtifactError for another value than an object */
  members(name: string): readonly (readonly [name: string, value: JsonValue])[] {
    if (this.#part.members === undefined) throw new ArtifactError(`${nameInError(name)} is not an object`);
    return [...this.#part.members].map(([key, part]) => [key, new JsonValue(this.#read, part)] as const);
  }

  /** Parses the value; undefined if its file has changed. @throws ArtifactError for malformed JSON */
  value(): unknown {
    const text = this.#read(this.#part);
    return text === undefined ? undefined : parsed(text);
  }

  /** Parses a text; undefined for another value. */
  text(): string | undefined {
    const value = this.value();
    return typeof value === 'string' ? value : undefined;
  }
}

/** Maximum characters of a name in an error. */
const SHOWN_NAME_CHARACTERS = 256;

export function nameInError(name: string): string {
  return name.slice(0, SHOWN_NAME_CHARACTERS);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ArtifactError(messageOf(error));
  }
}

/** Runs a job without pauses. */
export function runToEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Writes a value as JSON, whose parts are then parsed when they are requested. */
export function jsonOf(value: unknown, wanted: Wanted): JsonValue {
  const bytes = Buffer.from(JSON.stringify(value) ?? 'null');
  return new JsonValue(
    ({ start, end }) => bytes.toString('utf8', start, end),
    runToEnd(findParts(bytes, wanted)),
  );
}
