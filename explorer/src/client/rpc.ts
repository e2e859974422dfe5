import { BATCH_CALLS_MAX } from '../limits.ts';
import { CallError, NodeUnreachableError, ResponseError } from './errors.ts';
import { parseJson } from './json.ts';
import { fieldsOf, numberOf, textOf } from './reading.ts';

/** Two shapes of the same node: the ledger's own, and that of Ethereum's tools. */
export type Profile = 'ledger' | 'ethereum';

interface WaitingCall {
  readonly method: string;
  readonly parameters: readonly unknown[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A call that was sent, by its number in the request. */
type SentCalls = ReadonlyMap<number, WaitingCall>;

/** Returns the URL of a profile, relative to the page: a proxy may have added a path prefix. */
function endpointOf(profile: Profile): URL {
  return new URL(`./${profile}`, pageAddress());
}

/** Returns the WebSocket URL of a profile. */
export function socketAddressOf(profile: Profile): URL {
  const url = endpointOf(profile);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

/** Returns the URL of another resource of the node. */
export function pathOf(name: string): URL {
  return new URL(`./${name}`, pageAddress());
}

function pageAddress(): string {
  return `${location.origin}${location.pathname}`;
}

let profileFound: Promise<Profile> | undefined;

/** The profile that the page works with: Ethereum's, where the chain knows Ethereum. */
export function profile(): Promise<Profile> {
  profileFound ??= findProfile().catch((error: unknown) => {
    // The next call tries again.
    profileFound = undefined;
    throw error;
  });
  return profileFound;
}

/** Detects the profile again: the URL may lead to another chain now. */
export function profileAnew(): Promise<Profile> {
  profileFound = undefined;
  return profile();
}

async function findProfile(): Promise<Profile> {
  try {
    await callAt('ethereum', 'eth_chainId');
    return 'ethereum';
  } catch (error) {
    if (error instanceof CallError) return 'ledger';
    throw error;
  }
}

let waiting: WaitingCall[] = [];

/**
 * Calls a method of the node. Calls of one event loop iteration are sent as a batch.
 *
 * @throws NodeUnreachableError, CallError, ResponseError
 */
export function call(method: string, ...parameters: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    waiting.push({ method, parameters, resolve, reject });
    if (waiting.length === 1) queueMicrotask(() => void sendWaiting());
  });
}

/** The same; undefined where the node has no such method. */
export async function callIfKnown(method: string, ...parameters: readonly unknown[]): Promise<unknown> {
  try {
    return await call(method, ...parameters);
  } catch (error) {
    if (error instanceof CallError && error.isUnknownMethod) return undefined;
    throw error;
  }
}

async function sendWaiting(): Promise<void> {
  const calls = waiting;
  waiting = [];
  for (let start = 0; start < calls.length; start += BATCH_CALLS_MAX) {
    const batch = calls.slice(start, start + BATCH_CALLS_MAX);
    try {
      await send(await profile(), batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

/**
 * Calls a method in the shapes of a profile, whichever the page works with: Ethereum's does not have all of them.
 *
 * @throws NodeUnreachableError, CallError, ResponseError
 */
export function callAt(at: Profile, method: string, ...parameters: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    send(at, [{ method, parameters, resolve, reject }]).catch(reject);
  });
}

async function send(at: Profile, calls: readonly WaitingCall[]): Promise<void> {
  const sent: SentCalls = new Map(calls.map((waitingCall, index) => [index + 1, waitingCall]));
  const requests = [...sent].map(([id, { method, parameters }]) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: parameters,
  }));
  const [first] = requests;
  const body = JSON.stringify(requests.length === 1 ? first : requests);
  const answer = await post(endpointOf(at), body);
  for (const item of Array.isArray(answer) ? answer : [answer]) settle(item, sent);
  // A promise that was settled stays as it is.
  for (const { method, reject } of sent.values()) {
    reject(new ResponseError(`the node did not respond to ${method}`));
  }
}

async function post(url: URL, body: string): Promise<unknown> {
  let text: string;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    text = await response.text();
  } catch (cause) {
    throw new NodeUnreachableError('the node cannot be reached', { cause });
  }
  try {
    return parseJson(text);
  } catch (cause) {
    throw new NodeUnreachableError('the server that responded is not the node', { cause });
  }
}

function settle(answer: unknown, sent: SentCalls): void {
  const { id, result, error } = fieldsOf(answer);
  const waitingCall = typeof id === 'number' ? sent.get(id) : undefined;
  if (error === undefined || error === null) {
    waitingCall?.resolve(result);
    return;
  }
  const { code, message, data } = fieldsOf(error);
  const failure = new CallError(numberOf(code), textOf(message), data);
  if (waitingCall === undefined) {
    // The refusal of the whole request.
    for (const { reject } of sent.values()) reject(failure);
  } else waitingCall.reject(failure);
}
