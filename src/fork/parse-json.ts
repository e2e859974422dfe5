import { FORK_OBJECT_MEMBERS_MAX, JSON_DEPTH_MAX } from '../limits.ts';
import type { LedgerdError } from '../protocol/index.ts';
import { RemoteDataError } from './errors.ts';

/** Characters that one step parses. */
const STEP_CHARACTERS = 32 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** An array or object around the position of the scan. One object for each depth is reused. */
interface Container {
  isArray: boolean;
  /** Position of its bracket. */
  open: number;
  /** Position after the last parsed item or member. */
  start: number;
  /** Position of the name of the last member. */
  name: number;
  /** Position of the last string. */
  string: number;
  /** Items, or names and values, parsed before its end; undefined for one that is parsed with its parent. */
  parsed: unknown[] | undefined;
  /** Name of the member that is a container in parts. */
  partName: string;
  /** True from the end of a container in parts to the next comma. */
  isAfterPart: boolean;
}

/**
 * Parses JSON in steps, between which other tasks may run: items of about `STEP_CHARACTERS` at a time. A string is
 * never split.
 *
 * @throws {RemoteDataError} or {SyntaxError} for another text, {RemoteDataError} for too deep nesting, and for too many
 * members of one long object
 */
export function* parseJson(text: string): Generator<void, unknown> {
  const scan = new Scan(text);
  while (scan.step()) yield;
  return scan.value();
}

class Scan {
  readonly #text: string;
  /** By depth. The first one has the whole text as its only item. */
  readonly #containers: readonly Container[] = Array.from({ length: JSON_DEPTH_MAX + 1 }, newContainer);
  #depth = 0;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Scans the next characters, and parses items that are complete. Returns false at the end of the text. */
  step(): boolean {
    const text = this.#text;
    const end = Math.min(this.#position + STEP_CHARACTERS, text.length);
    let container = this.#at(this.#depth);
    let position = this.#position;
    for (; position < end; position += 1) {
      const code = text.charCodeAt(position);
      if (code === QUOTE) {
        container.string = position;
        position = endOfString(text, position + 1);
      } else if (code === COLON) container.name = container.string;
      else if (code === COMMA) {
        if (container.isAfterPart || position - container.start >= STEP_CHARACTERS) this.#split(position);
      } else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
        container = this.#enter(position, code === OPEN_BRACKET);
      } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) {
        container = this.#leave(position, code === CLOSE_BRACKET);
      }
    }
    this.#position = position;
    return position < text.length;
  }

  /** Returns the value of the whole text. */
  value(): unknown {
    const root = this.#at(0);
    if (this.#depth !== 0) throw notJson('an array or object without an end');
    const [value, second] = this.#take(root, this.#text.length);
    if (second !== undefined) throw notJson('several values');
    return value;
  }

  #at(depth: number): Container {
    const container = this.#containers[depth];
    if (container === undefined) throw notJson('nested too deep, or a bracket too many');
    return container;
  }

  #enter(position: number, isArray: boolean): Container {
    const container = this.#at(this.#depth + 1);
    this.#depth += 1;
    container.isArray = isArray;
    container.open = position;
    container.start = position + 1;
    container.name = position + 1;
    container.string = position + 1;
    container.parsed = undefined;
    container.isAfterPart = false;
    return container;
  }

  #leave(position: number, isArray: boolean): Container {
    const container = this.#at(this.#depth);
    const outer = this.#at(this.#depth - 1);
    this.#depth -= 1;
    if (container.parsed === undefined) return outer;
    if (container.isArray !== isArray) throw notJson('a bracket of another kind');
    const items = this.#take(container, position);
    const value = isArray ? items : Object.fromEntries(items as [string, unknown][]);
    outer.parsed?.push(outer.isArray ? value : [outer.partName, value]);
    outer.start = position + 1;
    outer.isAfterPart = true;
    return outer;
  }

  /** Parses the items of the present container before a comma, after those of the containers around it. */
  #split(comma: number): void {
    for (let depth = 1; depth <= this.#depth; depth += 1) {
      const [outer, inner] = [this.#at(depth - 1), this.#at(depth)];
      if (inner.parsed !== undefined) continue;
      outer.parsed ??= [];
      this.#takeBefore(outer, inner.open);
      inner.parsed = [];
    }
    const container = this.#at(this.#depth);
    this.#take(container, comma);
    container.start = comma + 1;
  }

  /** Parses the items up to a comma or the end of a container. Returns all of its items. */
  #take(container: Container, end: number): readonly unknown[] {
    const rest = this.#text.slice(container.start, end);
    container.parsed ??= [];
    const { parsed } = container;
    if (container.isAfterPart) {
      if (!isBlank(rest)) throw notJson('a comma is missing');
      container.isAfterPart = false;
      return parsed;
    }
    const { isArray } = container;
    const value: unknown = JSON.parse(isArray ? `[${rest}]` : `{${rest}}`);
    const items = isArray ? (value as unknown[]) : Object.entries(value as object);
    if (items.length === 0) throw notJson('a comma too many');
    for (const item of items) parsed.push(item);
    if (!isArray && parsed.length > FORK_OBJECT_MEMBERS_MAX) {
      throw notJson(`an object of more than ${FORK_OBJECT_MEMBERS_MAX} members`);
    }
    return parsed;
  }

  /** Parses the items before an inner container, and its name. */
  #takeBefore(outer: Container, open: number): void {
    if (outer.isAfterPart) throw notJson('a comma is missing');
    const nameStart = outer.isArray ? open : outer.name;
    const before = this.#text.slice(outer.start, nameStart).trimEnd();
    if (before !== '') {
      if (!before.endsWith(',')) throw notJson('a comma is missing');
      this.#take(outer, outer.start + before.length - 1);
    }
    if (outer.isArray) return;
    const named: unknown = JSON.parse(`{${this.#text.slice(nameStart, open)}null}`);
    outer.partName = Object.keys(named as object)[0] ?? '';
  }
}

function newContainer(): Container {
  const positions = { open: -1, start: 0, name: 0, string: 0 };
  return { ...positions, isArray: true, parsed: undefined, partName: '', isAfterPart: false };
}

/** Returns the position of the closing quote of a string, or the end of the text. */
function endOfString(text: string, position: number): number {
  let from = position;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return text.length;
    let start = quote;
    while (start > position && text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
    // Pairs of backslashes escape each other; an odd one escapes the quote.
    if ((quote - start) % 2 === 0) return quote;
    from = quote + 1;
  }
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function notJson(reason: string): LedgerdError {
  return new RemoteDataError(`the remote node sent wrong JSON: ${reason}`);
}
