import type { Command } from 'commander';
import { z } from 'zod';
import { lazily } from '../../caching/lazily.ts';
import {
  ArtifactRegistry,
  callTree,
  readFolder,
  type TreeCall,
  type TreeLine,
  treeOfObject,
} from '../../contracts/index.ts';
import type { CallFrameObject } from '../../formatters/index.ts';
import { type Address, bytesToHex, hexToBytes, toPrefixedHex } from '../../protocol/index.ts';
import { type Choose, listOption, valueOption } from '../command.ts';
import { CommandError, UsageError } from '../command-errors.ts';
import type { Environment } from '../environment.ts';
import { NodeCaller } from '../node-caller.ts';
import { printable, treeText } from '../node-log/printable.ts';
import { linesOf } from '../text.ts';
import { nodeUrl, path } from '../values.ts';

/** Milliseconds that `ledgerd trace` waits for a response. */
const TRACE_COMMAND_MS_MAX = 120_000;
/** Depth of the calls in a trace that the command line reads: the EVM allows 1,024. */
const TRACED_DEPTH_MAX = 1_100;
/** Instructions before the end of a call that are searched for its source line. */
const TRACED_PATH_MAX = 512;

/** A struct log: an instruction of a transaction. */
export interface StructLog {
  readonly pc: number;
  readonly op: string;
  /** Depth of the call, from 1. */
  readonly depth: number;
}

export function hasFailed({ failure, calls }: TreeCall): boolean {
  return failure !== undefined || calls.some(hasFailed);
}

/**
 * Adds the last instructions, which `callTracer` does not report, to the reverted calls of a tree. Calls without
 * matching steps stay unchanged.
 *
 * @param steps of the whole transaction
 */
export function withFailurePaths(root: TreeCall, steps: readonly StructLog[]): TreeCall {
  return steps.length === 0 ? root : withSteps(root, steps, 0).call;
}

/** Adds the steps from an index on to a call; returns the index of the next step of its caller. */
function withSteps(
  call: TreeCall,
  steps: readonly StructLog[],
  start: number,
): { readonly call: TreeCall; readonly next: number } {
  const { failure } = call;
  const depth = steps[start]?.depth ?? 0;
  const isDeeper = (index: number): boolean => (steps[index]?.depth ?? 0) > depth;
  const calls: TreeCall[] = [];
  let last = start;
  let next = start;
  let pathStart = start;
  while (steps[next]?.depth === depth) {
    last = next;
    next += 1;
    const inner = call.calls[calls.length];
    if (inner !== undefined && inner.kind === steps[last]?.op) {
      const found = isDeeper(next) ? withSteps(inner, steps, next) : { call: inner, next };
      calls.push(found.call);
      next = found.next;
    }
    while (isDeeper(next)) next += 1;
    if (next > last + 1) pathStart = next;
  }
  calls.push(...call.calls.slice(calls.length));
  const end = steps[last];
  const hasReverted = end?.op === 'REVERT' || end?.op === 'INVALID';
  if (failure === undefined || end === undefined || !hasReverted) return { call: { ...call, calls }, next };
  const path = steps.slice(Math.max(pathStart, last + 1 - TRACED_PATH_MAX), last + 1).map(({ pc }) => pc);
  return { call: { ...call, calls, failure: { ...failure, path } }, next };
}

interface TraceFlags {
  readonly url?: URL;
  readonly json?: boolean;
  readonly artifacts: readonly string[];
}

const DEFAULT_URL = new URL('http://127.0.0.1:8545');
const HASH = /^0x[0-9a-fA-F]{64}$/;

function hexText(form: RegExp): z.ZodType<`0x${string}`> {
  return z.custom<`0x${string}`>((value) => typeof value === 'string' && form.test(value));
}

const bytes = hexText(/^0x([0-9a-fA-F]{2})*$/);
const quantity = hexText(/^0x[0-9a-fA-F]{1,64}$/);
const address = hexText(/^0x[0-9a-fA-F]{40}$/);

/** A call; its inner calls are parsed recursively. */
const callShape = lazily(() =>
  z.object({
    type: z.string().max(64),
    from: address,
    to: address.nullish(),
    value: quantity.nullish(),
    gas: quantity,
    gasUsed: quantity,
    input: bytes,
    output: bytes.nullish(),
    error: z.string().nullish(),
    calls: z.array(z.unknown()).nullish(),
  }),
);

export function addTraceCommand(program: Command, choose: Choose): void {
  program
    .command('trace')
    .description('Show the calls of a transaction, from any node with debug_traceTransaction.')
    .argument('<hash>', 'hash of the transaction')
    .addOption(valueOption('--url <url>', `address of the node (default: ${DEFAULT_URL.href})`, nodeUrl))
    .addOption(listOption('--artifacts <folder>', "artifacts of Hardhat, or Foundry's out, repeatable", path))
    .option('--json', 'as JSON')
    .action((hash: string, flags: TraceFlags) => {
      choose('cannot trace', (environment) => trace(hash, flags, environment));
    });
}

async function trace(
  hash: string,
  { url = DEFAULT_URL, json, artifacts }: TraceFlags,
  environment: Environment,
): Promise<void> {
  if (!HASH.test(hash)) throw new UsageError('expected the hash of a transaction: 0x and 64 digits');
  const registry = new ArtifactRegistry();
  for (const folder of artifacts) {
    readFolder(folder, registry, (path, reason) =>
      environment.printError(`ledgerd: ${printable(path)} is skipped: ${printable(reason)}\n`),
    );
  }
  const { signal: stop } = new AbortController();
  const expected = 'node with debug_traceTransaction';
  const node = new NodeCaller(url, { expected, timeout: TRACE_COMMAND_MS_MAX, stop });
  const given = await node.call('debug_traceTransaction', [hash, { tracer: 'callTracer' }], z.unknown());
  const called = treeOfObject(readCall(given, TRACED_DEPTH_MAX, node));
  const root =
    artifacts.length > 0 && hasFailed(called) ? await withPathsOf(node, hash, called, environment) : called;
  const codes = artifacts.length === 0 ? new Map() : await codesOf(root, node);
  const lines = callTree(root, {
    registry,
    codeAt: (contract: Address) => codes.get(bytesToHex(contract)) ?? new Uint8Array(0),
  });
  const asText = (): string => linesOf(lines.map((line) => treeText(line, environment.paint)));
  environment.print(json === true ? asJson(root, lines) : asText());
}

const stepsShape = lazily(() =>
  z.object({
    structLogs: z.array(z.object({ pc: z.number(), op: z.string(), depth: z.number() })),
  }),
);
const STEPS_CONFIG = { disableStack: true, disableMemory: true, enableMemory: false, disableStorage: true };

/** Returns the tree with the last instructions of reverted calls, if the node reports steps. */
async function withPathsOf(
  node: NodeCaller,
  hash: string,
  root: TreeCall,
  environment: Environment,
): Promise<TreeCall> {
  try {
    const params = [hash, STEPS_CONFIG];
    const { structLogs } = await node.call('debug_traceTransaction', params, stepsShape());
    return withFailurePaths(root, structLogs);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    environment.printError(`ledgerd: no source lines: ${printable(error.message)}\n`);
    return root;
  }
}

function readCall(json: unknown, depth: number, node: NodeCaller): CallFrameObject {
  const read = callShape().safeParse(json);
  if (!read.success || depth === 0) throw node.noLedgerd('its trace is not of callTracer');
  const { type, from, to, value, gas, gasUsed, input, output, error, calls } = read.data;
  return {
    type,
    from,
    gas,
    gasUsed,
    input,
    ...(to != null && { to }),
    ...(value != null && { value }),
    ...(output != null && { output }),
    ...(error != null && { error }),
    ...(calls != null && { calls: calls.map((call) => readCall(call, depth - 1, node)) }),
  };
}

async function codesOf(root: TreeCall, node: NodeCaller): Promise<ReadonlyMap<string, Uint8Array>> {
  const contracts = new Map<string, Address>();
  const gather = ({ to, calls }: TreeCall): void => {
    if (to !== undefined) contracts.set(bytesToHex(to), to);
    for (const call of calls) gather(call);
  };
  gather(root);
  const codes = new Map<string, Uint8Array>();
  for (const [key, contract] of contracts) {
    const code = await node.call(
      'eth_getCode',
      [toPrefixedHex(contract), 'latest'],
      // Some nodes return the empty text for an account without code.
      z.union([bytes, z.literal('')]),
    );
    codes.set(key, hexToBytes(code.slice(2).toLowerCase()));
  }
  return codes;
}

function asJson(root: TreeCall, lines: readonly TreeLine[]): string {
  const calls = lines.map(({ depth, pieces }) => ({
    depth,
    text: pieces.map(({ text }) => text).join(''),
    pieces,
  }));
  const { gasUsed, failure } = root;
  const described = { gasUsed: String(gasUsed), error: failure?.text ?? null, calls };
  return `${JSON.stringify(described, undefined, 2)}\n`;
}
