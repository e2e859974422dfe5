import type { Source, SourceMap } from './artifact.ts';
import { instructionBytes } from './contract-interface.ts';
import { functionAt, functionsIn, type SourceFunction } from './source-functions.ts';

interface SourceLine {
  readonly path: string;
  /** Line number, from 1. */
  readonly line: number;
}

/** The entry of an instruction. */
interface Origin {
  /** Byte offset in UTF-8. */
  readonly start: number;
  readonly file: number;
  /** True for a jump into a function. */
  readonly isCall: boolean;
  /** True for a jump out of a function. */
  readonly isReturn: boolean;
}

const JUMP = 0x56;
const JUMPI = 0x57;
const LINE_FEED = 0x0a;
/** Maximum instructions of a fused sequence. */
const SEQUENCE_INSTRUCTIONS = 8;
/** Start of a contract definition. */
const CONTRACT = /^(abstract\s+contract|contract|library|interface)\s/;
const CONTRACT_BYTES = 32;

/**
 * Finds the line at which code failed: that of the last instruction with a source. Compiler-generated functions, such
 * as checks and panics, have no source: their line is that of the call. The compiler's IR pipeline gives generated code
 * the position of the whole contract; if it is inlined into a statement, the line is unknown. It is also unknown where
 * the optimizer merged equal code of several functions, which has the position of one of them.
 *
 * @param path offsets of the last executed instructions, in order; a fused sequence may have only its first
 * @param called name of the called function; undefined: unknown
 */
export function sourceLineOf(
  { entries, compilation }: SourceMap,
  code: Uint8Array,
  path: readonly number[],
  called?: string,
): SourceLine | undefined {
  const sources = compilation.sources();
  const origins = originsOf(entries, instructionsOf(code, path));
  const texts = new SourceTexts(sources);
  let isPartOfContract = false;
  for (const origin of origins.toReversed()) {
    const { start, file, isCall } = origin;
    const source = sources.get(file);
    if (source === undefined) continue;
    const bytes = texts.bytesOf(source);
    if (bytes === undefined) return undefined;
    if (texts.isContract(origin)) {
      isPartOfContract = true;
      continue;
    }
    if (isPartOfContract && !isCall) return undefined;
    // Code that begins at its start has run from the called function on.
    const entered = functionsOn(origins, texts, path[0] === 0 ? called : undefined);
    const within = texts.functionAt(origin);
    if (within !== undefined && !entered.has(within)) return undefined;
    return { path: source.path, line: lineAt(bytes, start) };
  }
  return undefined;
}

/** The texts of a compilation, read once. */
class SourceTexts {
  readonly #sources: ReadonlyMap<number, Source>;
  readonly #texts = new Map<Source, Buffer | undefined>();
  readonly #functions = new Map<Source, readonly SourceFunction[]>();

  constructor(sources: ReadonlyMap<number, Source>) {
    this.#sources = sources;
  }

  bytesOf(source: Source): Buffer | undefined {
    if (!this.#texts.has(source)) {
      const text = source.text();
      this.#texts.set(source, text === undefined ? undefined : Buffer.from(text));
    }
    return this.#texts.get(source);
  }

  /** Returns true for the position of a whole contract. */
  isContract({ file, start }: Origin): boolean {
    const source = this.#sources.get(file);
    const bytes = source && this.bytesOf(source);
    return bytes !== undefined && CONTRACT.test(bytes.toString('utf8', start, start + CONTRACT_BYTES));
  }

  /** Returns the function of a position; undefined outside of functions, and without a source. */
  functionAt(origin: Origin): SourceFunction | undefined {
    const source = this.#sources.get(origin.file);
    const bytes = source && this.bytesOf(source);
    if (source === undefined || bytes === undefined || this.isContract(origin)) return undefined;
    const functions = this.#functions.get(source) ?? functionsIn(bytes);
    this.#functions.set(source, functions);
    return functionAt(functions, origin.start);
  }
}

/**
 * Returns the functions that a path entered: the called or first one, those that a jump called or returned to, and
 * their modifiers. Positions of other functions are those of merged code.
 */
function functionsOn(
  origins: readonly Origin[],
  texts: SourceTexts,
  called: string | undefined,
): ReadonlySet<SourceFunction> {
  const entered = new Set<SourceFunction>();
  let depth = 0;
  let hasJumped = called === undefined;
  for (const origin of origins) {
    const within = texts.functionAt(origin);
    if (within !== undefined) {
      const isOfEntered =
        within.name === 'constructor' ||
        (within.isModifier && [...entered].some(({ header }) => namesWord(header, within.name)));
      if (hasJumped || isOfEntered || (entered.size === 0 && within.name === called)) {
        entered.add(within);
        hasJumped = false;
      } else if (entered.has(within)) hasJumped = false;
    }
    if (origin.isCall) {
      depth += 1;
      hasJumped = true;
    } else if (origin.isReturn) {
      depth -= 1;
      // The caller was entered before the path.
      hasJumped = depth < 0;
      depth = Math.max(0, depth);
    }
  }
  return entered;
}

function namesWord(text: string, word: string): boolean {
  return text.split(/[^\w$]+/).includes(word);
}

/** Returns the numbers of the instructions on a path, in order. */
function instructionsOf(code: Uint8Array, path: readonly number[]): number[] {
  const numbers = new Int32Array(code.length);
  let count = 0;
  for (let offset = 0; offset < code.length; offset += instructionBytes(code, offset)) {
    numbers[offset] = count;
    count += 1;
  }
  const found: number[] = [];
  for (const [index, offset] of path.entries()) {
    const next = path[index + 1] ?? offset;
    let current = offset;
    for (let length = 0; length < SEQUENCE_INSTRUCTIONS && current < code.length; length += 1) {
      found.push(numbers[current] ?? 0);
      if (code[current] === JUMP || code[current] === JUMPI) break;
      current += instructionBytes(code, current);
      if (current === next || index === path.length - 1) break;
    }
  }
  return found;
}

function originsOf(entries: string, instructions: readonly number[]): Origin[] {
  const origins: Origin[] = [];
  let origin: Origin = { start: 0, file: -1, isCall: false, isReturn: false };
  for (const entry of entries.split(';')) {
    const [start, , file, jump] = entry.split(':');
    if (start || file || jump) {
      origin = {
        start: start ? Number(start) : origin.start,
        file: file ? Number(file) : origin.file,
        isCall: jump ? jump === 'i' : origin.isCall,
        isReturn: jump ? jump === 'o' : origin.isReturn,
      };
    }
    origins.push(origin);
  }
  return instructions.flatMap((instruction) => origins[instruction] ?? []);
}

/** @param start byte offset in UTF-8 */
function lineAt(bytes: Buffer, start: number): number {
  let line = 1;
  for (let end = bytes.indexOf(LINE_FEED); end >= 0 && end < start; line += 1) {
    end = bytes.indexOf(LINE_FEED, end + 1);
  }
  return line;
}
