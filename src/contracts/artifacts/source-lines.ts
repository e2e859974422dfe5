import { instructionBytes } from './contract-interface.ts';

interface SourceLine {
  readonly path: string;
  /** Line number, from 1. */
  readonly line: number;
}

/** A source file of a compilation. */
export interface SourceText {
  readonly path: string;
  /** Returns the text; undefined for an unknown one. */
  text(): string | undefined;
}

/** Positions of instructions in their sources. */
export interface SourceMap {
  /** Entries by instruction, in Solidity's compressed form. */
  readonly entries: string;
  readonly sources: ReadonlyMap<number, SourceText>;
}

/** The entry of an instruction. */
interface Origin {
  /** Byte offset in UTF-8. */
  readonly start: number;
  readonly file: number;
  /** True for a jump into a function. */
  readonly isCall: boolean;
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
 * the position of the whole contract; if it is inlined into a statement, the line is unknown.
 *
 * @param path offsets of the last executed instructions, in order; a fused sequence may have only its first
 */
export function sourceLineOf(
  { entries, sources }: SourceMap,
  code: Uint8Array,
  path: readonly number[],
): SourceLine | undefined {
  const origins = originsOf(entries, instructionsOf(code, path));
  const texts = new Map<SourceText, Buffer>();
  let isPartOfContract = false;
  for (const { start, file, isCall } of origins.reverse()) {
    const source = sources.get(file);
    if (source === undefined) continue;
    const text = texts.has(source) ? undefined : source.text();
    if (text !== undefined) texts.set(source, Buffer.from(text));
    const bytes = texts.get(source);
    if (bytes === undefined) return undefined;
    if (CONTRACT.test(bytes.toString('utf8', start, start + CONTRACT_BYTES))) {
      isPartOfContract = true;
      continue;
    }
    if (isPartOfContract && !isCall) return undefined;
    return { path: source.path, line: lineAt(bytes, start) };
  }
  return undefined;
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
  let origin: Origin = { start: 0, file: -1, isCall: false };
  for (const entry of entries.split(';')) {
    const [start, , file, jump] = entry.split(':');
    if (start || file || jump) {
      origin = {
        start: start ? Number(start) : origin.start,
        file: file ? Number(file) : origin.file,
        isCall: jump ? jump === 'i' : origin.isCall,
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
