import { type CallFrameObject, errorText, isCreation } from '../../formatters/index.ts';
import type { CallFrame } from '../../ledger/index.ts';
import {
  type Address,
  bytesToHex,
  checksumAddress,
  decimalText,
  delegationOf,
  equalBytes,
  hexToBytes,
  toAddress,
} from '../../protocol/index.ts';
import { decodedOrNone } from '../../solidity/index.ts';
import type { Artifact } from '../artifacts/artifact.ts';
import { SELECTOR_BYTES } from '../artifacts/contract-interface.ts';
import { failureLineOf, type SourceLine } from '../artifacts/failure-line.ts';
import type { ArtifactRegistry } from '../artifacts/registry.ts';
import { consoleLine } from '../console/format.ts';
import { showValues } from '../shown-values.ts';
import { foreignText } from '../standards/foreign-text.ts';
import { reasonOf, showBytes } from './reason.ts';

/** Lines of the calls of a transaction in the node's log. */
const CALL_TREE_LINES_MAX = 200;
/** Bytes of call data that are shown if its function is unknown. */
const SHOWN_INPUT_BYTES_MAX = 36;

export interface TreeCall {
  /** Instruction, such as `CALL`, `CREATE2`, `SELFDESTRUCT`. */
  readonly kind: string;
  readonly from: Address;
  /** Undefined for a failed creation. */
  readonly to: Address | undefined;
  /** Value in wei. */
  readonly value: bigint;
  readonly gasUsed: bigint;
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  readonly failure?: {
    /** Error text as in geth. */
    readonly text: string;
    readonly isRevert: boolean;
    /** Offsets of the last instructions up to the failed one; empty if unknown, or if no code ran. */
    readonly path: readonly number[];
  };
  readonly calls: readonly TreeCall[];
}

/** Converts the recorded calls of an execution. */
export function treeOfFrame(frame: CallFrame): TreeCall {
  const { kind, from, to, value, gasUsed, input, output, failure, path } = frame;
  const hasPath = failure?.reason === 'revert' || failure?.reason === 'invalidOpcode';
  return {
    kind,
    from,
    to,
    value,
    gasUsed,
    input,
    output,
    ...(failure && {
      failure: {
        text: errorText(failure),
        isRevert: failure.reason === 'revert',
        path: hasPath ? path : [],
      },
    }),
    calls: frame.calls.map(treeOfFrame),
  };
}

/** Converts a validated result of `callTracer` of any node. */
export function treeOfObject(object: CallFrameObject): TreeCall {
  const { type, from, to, value = '0x0', gasUsed, input, output = '0x', error, calls = [] } = object;
  return {
    kind: type,
    from: addressOf(from),
    to: to === undefined ? undefined : addressOf(to),
    value: BigInt(value),
    gasUsed: BigInt(gasUsed),
    input: bytesOf(input),
    output: bytesOf(output),
    ...(error !== undefined && { failure: { text: error, isRevert: error === REVERTED, path: [] } }),
    calls: calls.map(treeOfObject),
  };
}

/** Error text of a revert in all clients. */
const REVERTED = 'execution reverted';
const PREFIX_CHARACTERS = 2;

function bytesOf(text: string): Uint8Array {
  return hexToBytes(text.slice(PREFIX_CHARACTERS).toLowerCase());
}

function addressOf(text: string): Address {
  return toAddress(bytesOf(text));
}

/** A part of a line. Its text may come from untrusted contracts. */
export interface TreePiece {
  readonly kind: 'gas' | 'contract' | 'function' | 'text' | 'failure' | 'location';
  readonly text: string;
}

export interface TreeLine {
  /** Depth in the tree; 0 for the call of the transaction. */
  readonly depth: number;
  readonly pieces: readonly TreePiece[];
}

/** Sources of names and code for a tree. */
export interface TreeKnowledge {
  readonly registry: ArtifactRegistry;
  codeAt(address: Address): Uint8Array;
}

const ETHER_DECIMALS = 18;
/** Address of the console: "console.log" in ASCII. */
const CONSOLE = '000000000000000000636f6e736f6c652e6c6f67';

/**
 * Writes the calls of a transaction, each on a line: gas, contract, function and arguments if known, and the reason of
 * a failure with its source line. In a tree with too many lines, successful calls are folded.
 */
export function callTree(root: TreeCall, knowledge: TreeKnowledge): readonly TreeLine[] {
  return new TreeWriter(knowledge, countCalls(root) > CALL_TREE_LINES_MAX).write(root);
}

/** A failure as its innermost call explains it. Its texts are clean: one line, without invisible characters. */
export interface Failure {
  /** Word for what happened: `reverted`, or the error in geth's words. */
  readonly kind: string;
  /** The contract and function in which it began. */
  readonly subject: string;
  /** Undefined for a failure that the kind explains. */
  readonly reason: string | undefined;
  /** The source line where it began if known, the call with its arguments, and the way to it if others passed it on. */
  readonly origin: readonly TreeLine[];
}

/** Explains a failed execution by the innermost call that failed with the same data. */
export function describeFailure(root: TreeCall, knowledge: TreeKnowledge): Failure {
  return new TreeWriter(knowledge, false).failure(root);
}

function countCalls({ calls }: TreeCall): number {
  return calls.reduce((count, call) => count + countCalls(call), 1);
}

class TreeWriter {
  readonly #knowledge: TreeKnowledge;
  readonly #isFolded: boolean;
  /** Contracts that the transaction created. After a failure their code does not exist. */
  readonly #created = new Map<string, Artifact | undefined>();
  readonly #lines: TreeLine[] = [];
  #omitted = 0;

  constructor(knowledge: TreeKnowledge, isFolded: boolean) {
    this.#knowledge = knowledge;
    this.#isFolded = isFolded;
  }

  write(root: TreeCall): readonly TreeLine[] {
    this.#add(root, 0);
    if (this.#omitted > 0) {
      this.#lines.push({ depth: 0, pieces: [plain(`… ${this.#omitted} more calls`)] });
    }
    return this.#lines;
  }

  failure(root: TreeCall): Failure {
    const way: { readonly name: string; readonly line: SourceLine | undefined }[] = [];
    let call = root;
    for (let inner: TreeCall | undefined = root; inner !== undefined; inner = reasonPassedBy(inner)) {
      call = inner;
      const artifact = this.#artifactOf(call);
      const called = isCreation(call.kind) ? 'constructor' : this.#functionOf(call, artifact)?.name;
      const name = `${artifact?.name ?? shown(call.to)}${called === undefined ? '' : `.${called}`}`;
      way.push({ name, line: lineOf(call, artifact) });
    }
    const artifact = this.#artifactOf(call);
    const { name: subject = '', line } = way.at(-1) ?? {};
    const { isRevert = true, text = '' } = call.failure ?? {};
    const pieces = isCreation(call.kind) ? this.#creation(call, artifact) : this.#called(call, artifact);
    const path = way.map(({ name, line }) => (line === undefined ? name : `${name}:${line.line}`));
    return {
      kind: isRevert ? 'reverted' : foreignText(text),
      subject: foreignText(subject),
      reason: isRevert ? foreignText(this.#reasonOf(call, artifact, line)) : undefined,
      origin: [
        ...(line === undefined
          ? []
          : [lineWith(location(`${line.path}:${line.line}`), plain(`   ${line.text}`))]),
        ...(pieces.length === 0 ? [] : [lineWith(...pieces, ...etherOf(call))]),
        ...(way.length === 1 ? [] : [lineWith(plain(path.join(' → ')))]),
      ],
    };
  }

  #reasonOf(call: TreeCall, artifact: Artifact | undefined, line: SourceLine | undefined): string {
    const reason = reasonOf(call.output, artifact, this.#knowledge.registry);
    return reason ?? `reverted without a reason: ${this.#likelyCause(call, artifact, line)}`;
  }

  /** Guesses why a call reverted without data. */
  #likelyCause(call: TreeCall, artifact: Artifact | undefined, line: SourceLine | undefined): string {
    const { kind, input, value, calls } = call;
    const inner = calls.at(-1);
    if (inner?.failure !== undefined) {
      return `its call of ${this.#artifactOf(inner)?.name ?? shown(inner.to)} failed: ${inner.failure.text}`;
    }
    if (/\b(?:require|revert)\b/.test(line?.text ?? '')) return 'its source gives none';
    if (!isCreation(kind) && artifact !== undefined && this.#functionOf(call, artifact) === undefined) {
      const missing = input.length === 0 ? 'receive' : 'such';
      return `probably the contract has no ${missing} function${value > 0n ? ' that takes ether' : ''}`;
    }
    if (value > 0n) return 'probably a function that takes no ether, or a require without a text';
    return 'probably a require without a text, or a call of an address without code';
  }

  #functionOf({ input }: TreeCall, artifact: Artifact | undefined) {
    const selector = bytesToHex(input.subarray(0, SELECTOR_BYTES));
    return artifact?.interface.functions.get(selector) ?? this.#knowledge.registry.functionOf(selector);
  }

  #add(call: TreeCall, depth: number): void {
    if (this.#lines.length >= CALL_TREE_LINES_MAX) {
      this.#omitted += countCalls(call);
      return;
    }
    const isFolded = this.#isFolded && call.failure === undefined && call.calls.length > 0;
    const artifact = this.#artifactOf(call);
    const pieces: TreePiece[] = [
      { kind: 'gas', text: `[${call.gasUsed}] ` },
      ...this.#target(call, artifact),
      ...etherOf(call),
      ...this.#end(call, artifact),
      ...(isFolded ? [plain(` … ${countCalls(call) - 1} calls`)] : []),
    ];
    this.#lines.push({ depth, pieces });
    if (!isFolded) for (const inner of call.calls) this.#add(inner, depth + 1);
  }

  #artifactOf({ kind, to, input }: TreeCall): Artifact | undefined {
    const { registry, codeAt } = this.#knowledge;
    if (isCreation(kind)) {
      const artifact = registry.ofCreation(input);
      if (to !== undefined) this.#created.set(bytesToHex(to), artifact);
      return artifact;
    }
    if (to === undefined) return undefined;
    const code = codeAt(to);
    const delegate = delegationOf(code);
    const running = delegate === undefined ? code : codeAt(delegate);
    return this.#created.get(bytesToHex(to)) ?? registry.contractAt(delegate ?? to, running);
  }

  /** Writes the contract, the function and its arguments. */
  #target(call: TreeCall, artifact: Artifact | undefined): TreePiece[] {
    const { kind, to, from, input } = call;
    if (kind === 'SELFDESTRUCT') return [plain(`${shown(from)} selfdestruct to ${shown(to)}`)];
    if (isCreation(kind)) return this.#creation(call, artifact);
    if (to !== undefined && bytesToHex(to) === CONSOLE) return [plain(`console.log ${consoleLine(input)}`)];
    const called = this.#called(call, artifact);
    return [
      { kind: 'contract', text: artifact?.name ?? shown(to) },
      ...(called.length === 0 ? [] : [plain('.'), ...called]),
      ...(kind === 'CALL' ? [] : [{ kind: 'gas', text: ` [${kind.toLowerCase()}]` } as const]),
    ];
  }

  /** Writes the function and its arguments; nothing for a call without data. */
  #called(call: TreeCall, artifact: Artifact | undefined): TreePiece[] {
    const { input } = call;
    const known = this.#functionOf(call, artifact);
    const values = known && decodedOrNone(known.inputs, input.subarray(SELECTOR_BYTES));
    if (known !== undefined && values !== undefined) {
      return [{ kind: 'function', text: known.name }, plain(`(${showValues(known.inputs, values)})`)];
    }
    return input.length === 0 ? [] : [plain(showBytes(input, SHOWN_INPUT_BYTES_MAX))];
  }

  #creation({ to, input }: TreeCall, artifact: Artifact | undefined): TreePiece[] {
    const location = to === undefined ? '' : ` at ${shown(to)}`;
    if (artifact === undefined) return [plain(`new contract (${input.length} bytes)${location}`)];
    const { constructorInputs } = artifact.interface;
    const values = decodedOrNone(constructorInputs, input.subarray(artifact.creation?.bytes.length ?? 0));
    const given = values === undefined ? '…' : showValues(constructorInputs, values);
    return [plain('new '), { kind: 'contract', text: artifact.name }, plain(`(${given})${location}`)];
  }

  /** Writes the returned values, or the reason and source line of a failure. */
  #end(call: TreeCall, artifact: Artifact | undefined): TreePiece[] {
    const { kind, input, output, failure } = call;
    if (failure === undefined) {
      const known = artifact?.interface.functions.get(bytesToHex(input.subarray(0, SELECTOR_BYTES)));
      const values = isCreation(kind) || known === undefined ? [] : decodedOrNone(known.outputs, output);
      if (known === undefined || values === undefined || values.length === 0) return [];
      return [plain(` → ${showValues(known.outputs, values)}`)];
    }
    const reason = failure.isRevert ? reasonOf(output, artifact, this.#knowledge.registry) : undefined;
    const text = failure.isRevert ? 'reverted' : failure.text;
    const pieces: TreePiece[] = [
      { kind: 'failure', text: ` ✗ ${reason === undefined ? text : `${text}: ${reason}`}` },
    ];
    const line = lineOf(call, artifact);
    if (line !== undefined) pieces.push(location(` at ${line.path}:${line.line}`));
    return pieces;
  }
}

/** Returns the inner call whose revert data a failed call passed on. */
function reasonPassedBy({ output, calls }: TreeCall): TreeCall | undefined {
  if (output.length === 0) return undefined;
  return calls.findLast(({ failure, output: reason }) => failure !== undefined && equalBytes(reason, output));
}

function lineOf({ kind, failure, input }: TreeCall, artifact: Artifact | undefined) {
  if (artifact === undefined || failure === undefined) return undefined;
  const [code, map] = isCreation(kind)
    ? [artifact.creation, artifact.creationMap]
    : [artifact.runtime, artifact.runtimeMap];
  if (code === undefined || map === undefined) return undefined;
  const called = artifact.interface.functions.get(bytesToHex(input.subarray(0, SELECTOR_BYTES)));
  return failureLineOf(map, code.bytes, failure.path, isCreation(kind) ? undefined : called?.name);
}

/** Writes a line of an explanation, with clean texts. */
function lineWith(...pieces: readonly TreePiece[]): TreeLine {
  return { depth: 0, pieces: pieces.map(({ kind, text }) => ({ kind, text: foreignText(text) })) };
}

function etherOf({ value }: TreeCall): TreePiece[] {
  return value > 0n ? [plain(` {${decimalText(value, ETHER_DECIMALS)} ether}`)] : [];
}

function plain(text: string): TreePiece {
  return { kind: 'text', text };
}

function location(text: string): TreePiece {
  return { kind: 'location', text };
}

function shown(address: Address | undefined): string {
  return address === undefined ? 'a contract' : checksumAddress(address);
}
