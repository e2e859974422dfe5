import { isUtf8 } from 'node:buffer';
import { JSON_DEPTH_MAX } from '../../src/json/parser.ts';
import { DEFAULT_RPC_LIMITS } from '../../src/rpc/context/rpc-limits.ts';
import { ETHEREUM_METHODS, METHODS, type ProfileId } from '../../src/rpc/index.ts';
import { DEFAULT_SERVER_LIMITS } from '../../src/server/server-limits.ts';
import { problemsOfResult } from '../openrpc/result-check.ts';

/** The outcome of one request of a body. */
export interface Outcome {
  /** Its method, or in brackets the value at its position. */
  readonly method: string;
  /** `result`, `notification`, or the code of the error. */
  readonly kind: string;
  readonly result?: unknown;
}

/** The verdict on the response to a body. */
export interface Verdict {
  /** Faults of the response; empty for a correct one. */
  readonly problems: readonly string[];
  readonly outcomes: readonly Outcome[];
}

type Expectation =
  | { readonly kind: 'call'; readonly method: string; readonly id: unknown }
  | { readonly kind: 'notification'; readonly method: string }
  | { readonly kind: 'malformed'; readonly id: unknown };

/** Error codes that a call of an existing method may have. */
const CALL_CODES = new Set([
  ...[-32602, -32000, -32005, 3, 4],
  // Of bundles of calls (EIP-5792).
  ...[4100, 5700, 5710, 5720, 5730, 5740, 5760],
  // Of simulations.
  ...[-38010, -38011, -38012, -38013, -38014, -38015, -38020, -38021, -38025, -38026],
]);
/** Characters of an error message: nobody reads more, and a caller's text must not come back whole. */
const MESSAGE_CHARACTERS = 1_000;
/** Texts that no message may contain, since they reveal internals or missing values. */
const LEAKS = /node_modules|\.[jt]s:\d|\bat \S+ \(|\[object |\bundefined\b|\bNaN\b/;

/** Returns true for methods that need a caller who can be notified. */
export function isOfSubscriptions(method: string): boolean {
  return method === 'eth_subscribe' || method === 'eth_unsubscribe';
}

/** Judges the response to a body by the rules of JSON-RPC 2.0 and of the interface. */
export function judge(
  body: Uint8Array,
  answer: string | undefined,
  overHttp: boolean,
  profile: ProfileId = 'ledger',
): Verdict {
  if (overHttp && body.length > DEFAULT_SERVER_LIMITS.bodyBytesMax)
    return judgeWhole('[large body]', answer, [-32005]);
  const text = isUtf8(body) ? Buffer.from(body).toString() : undefined;
  const parsed = text === undefined ? undefined : parse(text);
  if (text === undefined || parsed === undefined) return judgeWhole('[not JSON]', answer, [-32700, -32005]);
  if (depthOf(text) > JSON_DEPTH_MAX) return judgeWhole('[too deep]', answer, [-32005]);
  if (valuesOf(text) > DEFAULT_RPC_LIMITS.jsonValuesMax)
    return judgeWhole('[too many values]', answer, [-32005]);
  if (!Array.isArray(parsed.value))
    return judgeAll([expectationOf(parsed.value)], answer, { form: 'single', profile });
  if (parsed.value.length === 0) return judgeWhole('[empty batch]', answer, [-32600]);
  if (parsed.value.length > DEFAULT_RPC_LIMITS.batchRequestsMax)
    return judgeWhole('[large batch]', answer, [-32005]);
  return judgeAll(parsed.value.map(expectationOf), answer, { form: 'batch', profile });
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Counts the values of a JSON text, an empty array or object as two. */
function valuesOf(text: string): number {
  return 1 + text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '').replaceAll(/[^[{,]/g, '').length;
}

/** Measures the nesting depth of a JSON text, ignoring brackets in strings. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [bracket] of text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '').matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function expectationOf(value: unknown): Expectation {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'malformed', id: null };
  const member = (name: string): unknown =>
    Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  const [id, method, params] = [member('id'), member('method'), member('params')];
  const isId = id === null || typeof id === 'string' || typeof id === 'number';
  if (id !== undefined && !isId) return { kind: 'malformed', id: null };
  const isCall = member('jsonrpc') === '2.0' && typeof method === 'string';
  if (!isCall || (params !== undefined && typeof params !== 'object')) {
    return { kind: 'malformed', id: id ?? null };
  }
  return id === undefined ? { kind: 'notification', method } : { kind: 'call', method, id };
}

/** Judges the only response to a body without distinguishable requests. */
function judgeWhole(method: string, answer: string | undefined, codes: readonly number[]): Verdict {
  const problems: string[] = [];
  const kind = kindOf(readOne(answer, problems), null, problems);
  if (!codes.includes(Number(kind))) problems.push(`answered ${kind} where ${codes.join(' or ')} is due`);
  return { problems, outcomes: [{ method, kind }] };
}

function judgeAll(
  expected: readonly Expectation[],
  answer: string | undefined,
  { form, profile }: { readonly form: 'single' | 'batch'; readonly profile: ProfileId },
): Verdict {
  const problems: string[] = [];
  const outcomes: Outcome[] = [];
  const due = expected.filter(({ kind }) => kind !== 'notification');
  const answers = due.length === 0 ? readNone(answer, problems) : readMany(answer, form, problems);
  if (answers.length !== due.length) problems.push(`${answers.length} answers to ${due.length} requests`);
  for (const [index, expectation] of due.entries()) {
    outcomes.push(judgeOne(expectation, answers[index], { problems, profile }));
  }
  for (const expectation of expected) {
    if (expectation.kind === 'notification') {
      outcomes.push({ method: nameOf(expectation.method, profile), kind: 'notification' });
    }
  }
  return { problems, outcomes };
}

function judgeOne(
  expectation: Expectation,
  answer: unknown,
  { problems, profile }: { readonly problems: string[]; readonly profile: ProfileId },
): Outcome {
  const id = expectation.kind === 'notification' ? null : expectation.id;
  const kind = kindOf(answer, id, problems);
  if (expectation.kind !== 'call') {
    if (kind !== '-32600') problems.push(`a malformed request is answered ${kind}`);
    return { method: '[malformed]', kind };
  }
  const definition = methodsOf(profile).get(expectation.method);
  if (definition === undefined) {
    if (kind !== '-32601') problems.push(`a method that there is not is answered ${kind}`);
    return { method: '[unknown]', kind };
  }
  if (kind !== 'result') {
    const isDue =
      CALL_CODES.has(Number(kind)) || (kind === '-32601' && isOfSubscriptions(expectation.method));
    if (!isDue) problems.push(`${expectation.method} is answered ${kind}`);
    return { method: expectation.method, kind };
  }
  const result: unknown = Reflect.get(Object(answer), 'result');
  problems.push(...problemsOfResult(expectation.method, result, profile));
  return { method: expectation.method, kind, result };
}

function nameOf(method: string, profile: ProfileId): string {
  return methodsOf(profile).has(method) ? method : '[unknown]';
}

function methodsOf(profile: ProfileId): typeof METHODS {
  return profile === 'ethereum' ? ETHEREUM_METHODS : METHODS;
}

function readNone(answer: string | undefined, problems: string[]): readonly unknown[] {
  if (answer !== undefined) problems.push('notifications are answered');
  return [];
}

function readMany(
  answer: string | undefined,
  form: 'single' | 'batch',
  problems: string[],
): readonly unknown[] {
  const parsed = readOne(answer, problems);
  if (form === 'single') return [parsed];
  if (Array.isArray(parsed)) return parsed;
  problems.push('a batch is not answered by an array');
  return [];
}

function readOne(answer: string | undefined, problems: string[]): unknown {
  const parsed = answer === undefined ? undefined : parse(answer);
  if (parsed === undefined) problems.push(answer === undefined ? 'there is no answer' : 'no JSON');
  return parsed?.value;
}

/** Checks the form and the id of a response, and returns its kind: `result` or the code of its error. */
function kindOf(answer: unknown, id: unknown, problems: string[]): string {
  if (typeof answer !== 'object' || answer === null) {
    problems.push('the answer is no object');
    return 'none';
  }
  const members = new Map<string, unknown>(Object.entries(answer));
  const isError = members.has('error');
  const names = [...members.keys()].sort().join();
  if (names !== (isError ? 'error,id,jsonrpc' : 'id,jsonrpc,result'))
    problems.push(`the answer has ${names}`);
  if (members.get('jsonrpc') !== '2.0') problems.push('jsonrpc is not "2.0"');
  if (members.get('id') !== id) problems.push(`id ${JSON.stringify(members.get('id'))} is not echoed`);
  return isError ? codeOf(members.get('error'), problems) : 'result';
}

function codeOf(error: unknown, problems: string[]): string {
  const { code, message, data, ...rest } = Object(error);
  if (!Number.isSafeInteger(code)) problems.push('the code of the error is no integer');
  if (code === -32603) problems.push('an internal error');
  if (typeof message !== 'string' || message === '') problems.push('the error has no message');
  else if (message.length > MESSAGE_CHARACTERS) problems.push(`a message of ${message.length} characters`);
  else if (LEAKS.test(message)) problems.push('the message shows the inside of the program');
  if (Object.keys(rest).length > 0) problems.push('the error has further members');
  const hasData = code === 3 || code === 4;
  // Codes of the Execution APIs' error groups, for gas and the pool.
  const isOfGroup = data?.code >= 800 && data.code < 1_200 && typeof data.message === 'string';
  if (!isOfGroup && hasData !== (data !== undefined)) {
    problems.push('data belongs to reverts, late blocks and refused transactions alone');
  }
  if (hasData && !/^0x([0-9a-f]{2})*$/.test(String(data))) problems.push('the data is not hexadecimal');
  return String(code);
}
