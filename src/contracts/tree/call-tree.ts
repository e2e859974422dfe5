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
import { failureLineOf } from '../artifacts/failure-line.ts';
import type { ArtifactRegistry } from '../artifacts/registry.ts';
import { consoleLine } from '../console/format.ts';
import { showValues } from '../shown-values.ts';
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

/**
 * Writes where a failure began: the source line of the innermost call that failed with the same data, and the way to it
 * if other calls passed it on. Empty if no line is known.
 */
export function failureOrigin(root: TreeCall, knowledge: TreeKnowledge): readonly TreeLine[] {
  return new TreeWriter(knowledge, false).origin(root);
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

  origin(root: TreeCall): readonly TreeLine[] {
    const way: string[] = [];
    let line: ReturnType<typeof lineOf>;
    for (let call: TreeCall | undefined = root; call !== undefined; call = reasonPassedBy(call)) {
      const artifact = this.#artifactOf(call);
      line = lineOf(call, artifact);
      const selector = bytesToHex(call.input.subarray(0, SELECTOR_BYTES));
      const called = isCreation(call.kind)
        ? 'constructor'
        : artifact?.interface.functions.get(selector)?.name;
      const name = `${artifact?.name ?? shown(call.to)}${called === undefined ? '' : `.${called}`}`;
      way.push(line === undefined ? name : `${name}:${line.line}`);
    }
    if (line === undefined) return [];
    const location: TreePiece = { kind: 'location', text: `${line.path}:${line.line}` };
    const lines: TreeLine[] = [{ depth: 0, pieces: [location, plain('   '), plain(line.text)] }];
    return way.length === 1 ? lines : [...lines, { depth: 0, pieces: [plain(way.join(' → '))] }];
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
      ...(call.value > 0n ? [plain(` {${decimalText(call.value, ETHER_DECIMALS)} ether}`)] : []),
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
    const pieces: TreePiece[] = [{ kind: 'contract', text: artifact?.name ?? shown(to) }];
    const selector = bytesToHex(input.subarray(0, SELECTOR_BYTES));
    const known =
      artifact?.interface.functions.get(selector) ?? this.#knowledge.registry.functionOf(selector);
    const values = known && decodedOrNone(known.inputs, input.subarray(SELECTOR_BYTES));
    if (known !== undefined && values !== undefined) {
      const given = plain(`(${showValues(known.inputs, values)})`);
      pieces.push(plain('.'), { kind: 'function', text: known.name }, given);
    } else if (input.length > 0) {
      pieces.push(plain(`.${showBytes(input, SHOWN_INPUT_BYTES_MAX)}`));
    }
    return kind === 'CALL' ? pieces : [...pieces, { kind: 'gas', text: ` [${kind.toLowerCase()}]` }];
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
    if (line !== undefined) pieces.push({ kind: 'location', text: ` at ${line.path}:${line.line}` });
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

function plain(text: string): TreePiece {
  return { kind: 'text', text };
}

function shown(address: Address | undefined): string {
  return address === undefined ? 'a contract' : checksumAddress(address);
}
