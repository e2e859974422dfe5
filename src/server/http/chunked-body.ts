import type { ParseProblem } from '../http-response.ts';
import { parseFieldLine } from './request-head.ts';

/** Lines of a chunked body that are parsed in one step: a chunk has two. */
export const PARSED_LINES_MAX = 256;

const LINE_FEED = '\n'.charCodeAt(0);
const TOKEN = /[!#$%&'*+.^_`|~\w-]+/.source;
const QUOTED_STRING = /"(?:[\t !\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"/.source;
/** The size of a chunk, and its extensions, which are ignored (RFC 9112, 7.1.1). */
const SIZE_LINE = new RegExp(
  `^([0-9a-f]+)(?:[ \\t]*;[ \\t]*${TOKEN}(?:=(?:${TOKEN}|${QUOTED_STRING}))?)*$`,
  'i',
);
/** Characters of a size line that do not count as an extension. */
const SIZE_CHARACTERS = 16;

/**
 * Decodes the chunked transfer coding (RFC 9112, 7.1) a few lines at a time. Ignores extensions and trailers, whose
 * total length is bounded.
 */
export class ChunkedBody {
  readonly #extraBytesMax: number;
  #state: 'size' | 'data' | 'data-end' | 'trailers' | 'complete' = 'size';
  /** Missing bytes of the chunk. */
  #left = 0;
  /** The beginning of an incomplete line. */
  #line = '';
  /** Bytes of extensions and trailers so far. */
  #extraBytes = 0;
  problem: ParseProblem | undefined;

  /** @param extraBytesMax bound of the bytes of extensions and trailers */
  constructor(extraBytesMax: number) {
    this.#extraBytesMax = extraBytesMax;
  }

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /**
   * Decodes bytes up to the end of the body, the bound of lines, or an error, or until the consumer stops.
   *
   * @param onData receives each part of the body; returns false to stop
   * @returns the position after the decoded bytes
   */
  decode(bytes: Buffer, start: number, onData: (part: Buffer) => boolean): number {
    let position = start;
    for (let lines = 0; lines < PARSED_LINES_MAX && position < bytes.length && !this.isComplete; ) {
      if (this.#state === 'data') {
        const end = Math.min(bytes.length, position + this.#left);
        this.#left -= end - position;
        if (this.#left === 0) this.#state = 'data-end';
        const isWanted = onData(bytes.subarray(position, end));
        position = end;
        if (!isWanted) break;
      } else {
        const lineFeed = bytes.indexOf(LINE_FEED, position);
        const end = lineFeed < 0 ? bytes.length : lineFeed + 1;
        this.#line += bytes.toString('latin1', position, end);
        position = end;
        if (lineFeed >= 0) this.#endLine();
        else if (this.#line.length > this.#extraBytesMax) this.problem = 'overflow';
        if (this.problem !== undefined) break;
        lines += 1;
      }
    }
    return position;
  }

  #endLine(): void {
    const isWhole = this.#line.endsWith('\r\n');
    const line = this.#line.slice(0, -2);
    this.#line = '';
    if (isWhole && this.#readLine(line)) {
      if (this.#extraBytes > this.#extraBytesMax) this.problem = 'overflow';
    } else this.problem = 'malformed';
  }

  /** Parses a line; returns false for a malformed one. */
  #readLine(line: string): boolean {
    if (this.#state === 'data-end') {
      this.#state = 'size';
      return line === '';
    }
    if (this.#state === 'trailers') {
      if (line === '') this.#state = 'complete';
      this.#extraBytes += line.length;
      return line === '' || parseFieldLine(line) !== undefined;
    }
    const [, digits] = SIZE_LINE.exec(line) ?? [];
    if (digits === undefined) return false;
    this.#extraBytes += Math.max(0, line.length - SIZE_CHARACTERS);
    this.#left = Number.parseInt(digits, 16);
    this.#state = this.#left === 0 ? 'trailers' : 'data';
    return true;
  }
}
