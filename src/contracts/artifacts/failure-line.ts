import type { Source, SourceMap } from './artifact.ts';
import { instructionBytes } from './code-pattern.ts';
import { functionAt, functionsIn, type SourceFunction } from './source-functions.ts';

/** A line of a source. */
export interface SourceLine {
  readonly path: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Its text without indentation, cut if long. */
  readonly text: string;
}

/** An executed instruction with its entry in the source map. Offsets are bytes in UTF-8. */
interface Step {
  readonly offset: number;
  readonly start: number;
  readonly end: number;
  readonly file: number;
  readonly jump: string;
}

/** A function that runs. */
interface Frame {
  /** The jump into it; undefined for the first function. */
  readonly call?: Step;
  /** Names that its definition may have; undefined: any. */
  readonly names: ReadonlySet<string> | undefined;
  definition?: SourceFunction;
  /** Its last step with a position in a function. */
  last?: Step;
  /** Set while it runs code that the optimizer merged, whose positions may be those of another place. */
  merged?: MergedCode;
}

interface MergedCode {
  /** The call that returned to this code; undefined if a jump led to it. */
  readonly call?: Step | undefined;
}

/** A step, and what ran it. */
interface RunStep extends Pick<Frame, 'definition' | 'merged'> {
  readonly step: Step;
}

const JUMP = 0x56;
const JUMPI = 0x57;
const JUMPDEST = 0x5b;
const LINE_FEED = 0x0a;
/** Bytes of a source line that are shown. */
const SHOWN_LINE_BYTES_MAX = 200;
/** Maximum instructions of a fused sequence. */
const SEQUENCE_INSTRUCTIONS = 8;
/** Start of a contract definition. */
const CONTRACT = /^(abstract\s+contract|contract|library|interface)\s/;
const CONTRACT_BYTES = 32;

/**
 * Finds the line at which code failed: that of the last instruction with a position in the running function. Functions
 * that the compiler generates, such as checks and panics, have no position: their line is that of the call. The optimizer
 * merges equal code of several places, which keeps the position of one: a stack of functions shows where control came
 * from, and a line is undefined where that leaves a doubt.
 *
 * @param path offsets of the last executed instructions, in order; a fused sequence may have only its first
 * @param called name of the called function; undefined: unknown
 */
export function failureLineOf(
  { entries, compilation }: SourceMap,
  code: Uint8Array,
  path: readonly number[],
  called?: string,
): SourceLine | undefined {
  const texts = new SourceTexts(compilation.sources());
  const steps = stepsOf(entries, code, path);
  if (!isOptimized(compilation.settings()))
    return lineIn(
      steps.map((step) => ({ step })),
      texts,
    );
  const stack = new FunctionStack(texts, called, path[0] === 0);
  const run = steps.map((step, index): RunStep => {
    const before = steps[index - 1];
    if (before !== undefined && before.offset + instructionBytes(code, before.offset) !== step.offset)
      stack.jump(before, step);
    return { step, ...stack.run(step) };
  });
  return lineIn(run, texts);
}

/** Returns true unless the settings state that code was not optimized. */
function isOptimized(settings: unknown): boolean {
  if (typeof settings !== 'object' || settings === null) return true;
  const { optimizer } = settings as {
    readonly optimizer?: { readonly enabled?: unknown; readonly details?: unknown };
  };
  return optimizer?.enabled === true || optimizer?.details !== undefined;
}

/** Finds the last step whose position is that of its function. */
function lineIn(run: readonly RunStep[], texts: SourceTexts): SourceLine | undefined {
  let isPartOfContract = false;
  let tail: { readonly merged: MergedCode; readonly line: number } | undefined;
  for (const { step, definition, merged } of run.toReversed()) {
    if (!texts.isKnown(step)) continue;
    const line = texts.lineAt(step);
    if (line === undefined) return undefined;
    if (texts.isContract(step)) {
      isPartOfContract = true;
      continue;
    }
    // The compiler's IR pipeline gives generated code the position of the contract, also within a statement.
    if (isPartOfContract && step.jump !== 'i') return undefined;
    if (merged !== undefined && merged === (tail?.merged ?? merged)) {
      // Merged code of one statement completes the one that called.
      if (merged.call === undefined || (tail !== undefined && tail.line !== line.line)) return undefined;
      tail = { merged, line: line.line };
      continue;
    }
    if (tail !== undefined && step !== tail.merged.call) continue;
    const within = texts.functionAt(step);
    if (within === undefined && definition !== undefined) continue;
    if (within === undefined || definition === undefined || isPartOf(within, definition)) return line;
    return undefined;
  }
  return undefined;
}

/** Returns true for the function itself, for its modifiers, and for other constructors. */
function isPartOf(within: SourceFunction, definition: SourceFunction): boolean {
  if (within === definition) return true;
  if (within.isModifier) return wordsOf(definition.header).has(within.name);
  return within.name === 'constructor' && definition.name === 'constructor';
}

/** The functions that run, by the jumps into and out of them. */
class FunctionStack {
  readonly #texts: SourceTexts;
  readonly #frames: Frame[];

  readonly #dispatched: string | undefined;

  /**
   * @param called name of the called function; undefined: unknown
   * @param isWhole true if the first step is the first one of the code
   */
  constructor(texts: SourceTexts, called: string | undefined, isWhole: boolean) {
    this.#texts = texts;
    this.#dispatched = isWhole ? called : undefined;
    this.#frames = [{ names: called === undefined ? undefined : new Set([called]) }];
  }

  /** Runs a step in the last function, whose definition it may show. */
  run(step: Step): Pick<Frame, 'definition' | 'merged'> {
    const frame = this.#last;
    const within = this.#texts.functionAt(step);
    if (within !== undefined && !within.isModifier && frame.definition === undefined) {
      if (frame.names?.has(within.name) === false) frame.merged ??= {};
      else frame.definition = within;
    }
    if (within !== undefined) frame.last = step;
    const { definition, merged } = frame;
    return { ...(definition && { definition }), ...(merged && { merged }) };
  }

  /** Follows a jump from a step to another one. */
  jump(from: Step, to: Step): void {
    const frame = this.#last;
    if (from.jump === 'i') {
      // The selector, which chose the called function, tells more than the code that enters it.
      if (this.#dispatched !== undefined && this.#frames.length === 1) {
        this.#frames.push({ call: from, names: new Set([this.#dispatched]) });
        return;
      }
      const names = this.#texts.isPlaced(from) ? wordsOf(this.#texts.textOf(from)) : undefined;
      this.#frames.push({ call: from, names, ...(frame.merged && { merged: frame.merged }) });
    } else if (from.jump === 'o') {
      const index = this.#frames.findLastIndex(({ call }) => call?.offset === to.offset - 1);
      if (index > 0) this.#frames.length = index;
      else {
        // The code behind a call was merged with that behind another one.
        if (this.#frames.length > 1) this.#frames.pop();
        this.#last.merged ??= { call: frame.call };
      }
    } else if (frame.last !== undefined && !this.#texts.areOfOne(frame.last, to)) {
      // Without a position it is the end of a function of the compiler, which was inlined.
      frame.merged ??= this.#texts.isKnown(from) ? {} : { call: frame.last };
    }
  }

  get #last(): Frame {
    return this.#frames.at(-1) ?? { names: undefined };
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/[^\w$]+/));
}

/** The texts of a compilation, read once. */
class SourceTexts {
  readonly #sources: ReadonlyMap<number, Source>;
  readonly #texts = new Map<number, Buffer | undefined>();
  readonly #functions = new Map<number, readonly SourceFunction[]>();

  constructor(sources: ReadonlyMap<number, Source>) {
    this.#sources = sources;
  }

  /** Returns true for a position in a source, other than those of code that the compiler generated. */
  isKnown({ file }: Step): boolean {
    return this.#sources.has(file);
  }

  /** Returns true for a position in the text of a source that is smaller than a contract. */
  isPlaced(step: Step): boolean {
    return this.#bytesOf(step) !== undefined && !this.isContract(step);
  }

  /** Returns true for the position of a whole contract. */
  isContract(step: Step): boolean {
    const { start } = step;
    return CONTRACT.test(this.textOf({ ...step, end: start + CONTRACT_BYTES }));
  }

  /** Returns true if a statement may contain both positions, or one is of code that the compiler generated. */
  areOfOne(one: Step, other: Step): boolean {
    if (!this.isPlaced(one) || !this.isPlaced(other)) return true;
    if (one.file !== other.file) return false;
    if (this.lineAt(one)?.line === this.lineAt(other)?.line) return true;
    const [outer, inner] = one.end - one.start > other.end - other.start ? [one, other] : [other, one];
    return outer.start <= inner.start && inner.end <= outer.end;
  }

  textOf(step: Step): string {
    return this.#bytesOf(step)?.toString('utf8', step.start, step.end) ?? '';
  }

  /** Returns the function of a position; undefined outside of functions, and without a source. */
  functionAt(step: Step): SourceFunction | undefined {
    const bytes = this.#bytesOf(step);
    if (bytes === undefined || this.isContract(step)) return undefined;
    const functions = this.#functions.get(step.file) ?? functionsIn(bytes);
    this.#functions.set(step.file, functions);
    return functionAt(functions, step.start);
  }

  /** Returns the line of a position; undefined for one outside of the text, and without a text. */
  lineAt(step: Step): SourceLine | undefined {
    const source = this.#sources.get(step.file);
    const bytes = this.#bytesOf(step);
    if (source === undefined || bytes === undefined || step.end > bytes.length) return undefined;
    let line = 1;
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0 && end < step.start; line += 1) {
      start = end + 1;
      end = bytes.indexOf(LINE_FEED, start);
    }
    const [text = ''] = bytes.toString('utf8', start, start + SHOWN_LINE_BYTES_MAX).split('\n');
    return { path: source.path, line, text: text.trim() };
  }

  #bytesOf({ file }: Step): Buffer | undefined {
    if (!this.#texts.has(file)) {
      const text = this.#sources.get(file)?.text();
      this.#texts.set(file, text === undefined ? undefined : Buffer.from(text));
    }
    return this.#texts.get(file);
  }
}

/** Returns the instructions on a path, in order, with their entries. */
function stepsOf(entries: string, code: Uint8Array, path: readonly number[]): Step[] {
  const numbers = new Int32Array(code.length);
  let count = 0;
  for (let offset = 0; offset < code.length; offset += instructionBytes(code, offset)) {
    numbers[offset] = count;
    count += 1;
  }
  const positions = positionsOf(entries);
  const steps: Step[] = [];
  for (const [index, first] of path.entries()) {
    const next = path[index + 1] ?? first;
    const before = steps.at(-1);
    const isJump = before !== undefined && before.offset + instructionBytes(code, before.offset) !== first;
    // Fused sequences omit the destination of the jump before them.
    const isOmitted =
      isJump && code[first] !== JUMPDEST && code[first - 1] === JUMPDEST && numbers[first - 1] !== 0;
    let offset = isOmitted ? first - 1 : first;
    for (let length = 0; length < SEQUENCE_INSTRUCTIONS && offset < code.length; length += 1) {
      const position = positions[numbers[offset] ?? 0];
      if (position !== undefined) steps.push({ offset, ...position });
      if (code[offset] === JUMP || code[offset] === JUMPI) break;
      offset += instructionBytes(code, offset);
      if (offset === next || index === path.length - 1) break;
    }
  }
  return steps;
}

/** Reads the entries of a source map; each omits what is as in the one before it. */
function positionsOf(entries: string): Omit<Step, 'offset'>[] {
  let [start, length, file, jump] = [0, 0, -1, '-'];
  return entries.split(';').map((entry) => {
    const fields = entry.split(':');
    if (fields[0]) start = Number(fields[0]);
    if (fields[1]) length = Number(fields[1]);
    if (fields[2]) file = Number(fields[2]);
    if (fields[3]) jump = fields[3];
    return { start, end: start + length, file, jump };
  });
}
