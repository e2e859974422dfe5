import { isUtf8 } from 'node:buffer';
import { CLOSE_BRACKET, type JsonBounds, JsonScan, OPEN_BRACKET } from '../json/json-scan.ts';
import type { LongBody } from '../json/text-writer.ts';
import { decode, parseRequestText } from '../messages/json-rpc.ts';
import { ParseError } from '../rpc-errors.ts';

/** Bytes of the requests that one step parses. */
const STEP_BYTES = 64 * 1024;

const SPACE = 0x20;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface BatchRequests {
  readonly length: number;
  at(index: number): unknown;
  /** Releases the parsed requests, which need many times the memory of their text, while the batch waits. */
  releaseParsed?(): void;
}

export type ParsedBody =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'batch'; readonly items: BatchRequests };

export interface LongBodyOptions extends JsonBounds {
  readonly batchRequestsMax: number;
  /** Throws for too many requests in a batch, and for an empty batch. */
  checkCount(count: number): void;
}

/**
 * Parses the JSON of a long body in steps, between which other tasks may run: first checks its shape, piece by piece,
 * then parses the requests of a batch, several in a step. A single value is parsed in one step.
 */
export class LongBodyParser {
  readonly #body: LongBody;
  readonly #options: LongBodyOptions;
  readonly #scan: JsonScan;
  /** The parsed requests; undefined once released, after which each is parsed when it is read. */
  #parsed: unknown[] | undefined = [];

  constructor(body: LongBody, options: LongBodyOptions) {
    this.#body = body;
    this.#options = options;
    this.#scan = new JsonScan(options, options.batchRequestsMax + 1);
  }

  /**
   * Returns the content, in steps.
   *
   * @throws LimitError for too deep nesting, too many values or requests
   * @throws ParseError for a body that is not JSON in UTF-8
   * @throws InvalidRequestError for an empty batch
   */
  *parse(): Generator<void, ParsedBody> {
    for (const piece of this.#body.pieces) {
      this.#scan.add(piece);
      yield;
    }
    const { count, ends } = this.#scan;
    const [start] = ends;
    if (start === undefined || this.#byteAt(start) !== OPEN_BRACKET || !this.#isBlank(0, start)) {
      return { kind: 'value', value: parseRequestText(decode(this.#body.slice(0, this.#body.length))) };
    }
    this.#checkBatch(count);
    for (let next = 0; next < count; ) {
      if (next > 0) yield;
      next = this.#parseFrom(next);
    }
    return { kind: 'batch', items: this.#items(count) };
  }

  releaseParsed(): void {
    this.#parsed = undefined;
  }

  #checkBatch(count: number): void {
    const close = this.#scan.close;
    if (
      close === undefined ||
      this.#byteAt(close) !== CLOSE_BRACKET ||
      !this.#isBlank(close + 1, this.#body.length)
    ) {
      throw notJson();
    }
    const [open = 0] = this.#scan.ends;
    const isEmpty = count === 1 && this.#isBlank(open + 1, close);
    this.#options.checkCount(isEmpty ? 0 : count);
  }

  /** Parses a request, and following ones up to `STEP_BYTES`. Returns the index of the one after them. */
  #parseFrom(first: number): number {
    const { count, ends } = this.#scan;
    const start = (ends[first] ?? 0) + 1;
    let after = first + 1;
    while (after < count && (ends[after + 1] ?? 0) - start <= STEP_BYTES) after += 1;
    const bytes = this.#body.slice(start, ends[after] ?? start);
    if (!isUtf8(bytes)) throw new ParseError('parse error: the body is not UTF-8');
    const values = parseRequestText(`[${bytes.toString()}]`);
    // Text between two commas of a JSON array is one value.
    if (!Array.isArray(values) || values.length !== after - first) throw notJson();
    this.#parsed?.push(...values);
    return after;
  }

  #items(length: number): BatchRequests {
    const { ends } = this.#scan;
    return {
      length,
      at: (index) =>
        this.#parsed === undefined
          ? parseRequestText(this.#body.slice((ends[index] ?? 0) + 1, ends[index + 1] ?? 0).toString())
          : this.#parsed[index],
      releaseParsed: () => this.releaseParsed(),
    };
  }

  #byteAt(position: number): number | undefined {
    return this.#body.slice(position, position + 1)[0];
  }

  /** Returns true for white space alone (RFC 8259, 2). */
  #isBlank(start: number, end: number): boolean {
    for (const byte of this.#body.slice(start, end)) {
      if (byte !== SPACE && byte !== TAB && byte !== LINE_FEED && byte !== CARRIAGE_RETURN) return false;
    }
    return true;
  }
}

function notJson(): ParseError {
  return new ParseError('parse error: the body is not JSON');
}
