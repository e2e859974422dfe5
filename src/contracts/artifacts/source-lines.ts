export interface SourceLine {
  readonly path: string;
  /** From 1 on. */
  readonly line: number;
}

/** A source that a compiler has read. */
export interface SourceText {
  readonly path: string;
  /** Undefined where it is not known. */
  text(): string | undefined;
}

/** The places in sources that the instructions of a code come from. */
export interface SourceMap {
  /** Entries by instruction, in Solidity's short form. */
  readonly entries: string;
  readonly sources: ReadonlyMap<number, SourceText>;
}

/** The entry of an instruction. */
interface Origin {
  /** Offset in bytes of UTF-8. */
  readonly start: number;
  readonly file: number;
  /** True for a jump into a function. */
  readonly isCall: boolean;
}

const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const JUMP = 0x56;
const JUMPI = 0x57;
const LINE_FEED = 0x0a;
/** Instructions that run as one at most. */
const SEQUENCE_INSTRUCTIONS = 8;
/** The beginning of a contract as a whole. */
const CONTRACT = /^(abstract\s+contract|contract|library|interface)\s/;
const CONTRACT_BYTES = 32;

/**
 * Finds the line at which code failed: that of the last instruction which comes from a source. Checks, and the panics
 * that they end in, are functions that the compiler generates, without a source; their line is that of the call.
 * The compiler's new pipeline gives generated code the position of the whole contract. Where it is inlined into a
 * statement, the statement is not known, and there is no line.
 *
 * @param path offsets of the last instructions that ran, in their order; a fused sequence may have its first alone
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

/** Returns the numbers of the instructions on a path, in their order. */
function instructionsOf(code: Uint8Array, path: readonly number[]): number[] {
  const numbers = new Int32Array(code.length);
  let count = 0;
  for (let offset = 0; offset < code.length; offset += lengthAt(code, offset)) {
    numbers[offset] = count;
    count += 1;
  }
  const found: number[] = [];
  for (const [index, offset] of path.entries()) {
    const next = path[index + 1] ?? offset;
    let place = offset;
    for (let length = 0; length < SEQUENCE_INSTRUCTIONS && place < code.length; length += 1) {
      found.push(numbers[place] ?? 0);
      if (code[place] === JUMP || code[place] === JUMPI) break;
      place += lengthAt(code, place);
      if (place === next || index === path.length - 1) break;
    }
  }
  return found;
}

/** Returns the bytes that an instruction takes. */
function lengthAt(code: Uint8Array, offset: number): number {
  const opcode = code[offset] ?? 0;
  return opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 2 : 1;
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

/** @param start offset in bytes of UTF-8 */
function lineAt(bytes: Buffer, start: number): number {
  let line = 1;
  for (let place = bytes.indexOf(LINE_FEED); place >= 0 && place < start; line += 1) {
    place = bytes.indexOf(LINE_FEED, place + 1);
  }
  return line;
}
