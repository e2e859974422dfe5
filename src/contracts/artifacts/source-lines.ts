/** A line of a source. */
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

/** What a compiler says of where the instructions of a code come from. */
export interface SourceMap {
  /** Entries by instruction, in Solidity's short form. */
  readonly entries: string;
  /** Sources by their numbers. */
  readonly sources: ReadonlyMap<number, SourceText>;
}

const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const LINE_FEED = 0x0a;

/**
 * The line that an instruction comes from; where the compiler has made it up, that of the instruction before it which
 * it has not.
 *
 * @param programCounter offset of the instruction in the code
 */
export function sourceLineOf(
  { entries, sources }: SourceMap,
  code: Uint8Array,
  programCounter: number,
): SourceLine | undefined {
  const wanted = instructionAt(code, programCounter);
  let [start, file] = [0, -1];
  let place: { readonly start: number; readonly file: number } | undefined;
  let index = 0;
  for (const entry of entries.split(';')) {
    const [startText, , fileText] = entry.split(':');
    if (startText !== undefined && startText !== '') start = Number(startText);
    if (fileText !== undefined && fileText !== '') file = Number(fileText);
    if (sources.has(file)) place = { start, file };
    if (index === wanted) break;
    index += 1;
  }
  const source = place && sources.get(place.file);
  const text = source?.text();
  if (place === undefined || source === undefined || text === undefined) return undefined;
  return { path: source.path, line: lineAt(text, place.start) };
}

/** The number of the instruction at an offset. */
function instructionAt(code: Uint8Array, programCounter: number): number {
  let count = 0;
  for (let place = 0; place < programCounter && place < code.length; count += 1) {
    const opcode = code[place] ?? 0;
    place += opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 2 : 1;
  }
  return count;
}

/** @param start offset in bytes of UTF-8 */
function lineAt(text: string, start: number): number {
  const bytes = Buffer.from(text).subarray(0, start);
  let line = 1;
  for (let place = bytes.indexOf(LINE_FEED); place >= 0; place = bytes.indexOf(LINE_FEED, place + 1))
    line += 1;
  return line;
}
