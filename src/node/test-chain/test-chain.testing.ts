import { expect } from 'vitest';
import { request } from '../../../test/rpc-client.js';
import { accountAddress, accountId, toPrefixedHex } from '../../protocol/index.ts';
import {
  DEFAULT_CONFIGURATION,
  type NodeEvents,
  startTestNode,
  type TestNode,
  type TestNodeConfiguration,
} from '../index.ts';

/** The addresses of the first two test accounts. */
export const [ALICE, BOB] = [1_024, 1_025].map((instance) =>
  toPrefixedHex(accountAddress(accountId(instance))),
) as [`0x${string}`, `0x${string}`];

const running: TestNode[] = [];

/** Starts a node in test mode, which `closeNodes` closes. */
export async function startNode(
  changes: Partial<TestNodeConfiguration> = {},
  events: NodeEvents = {},
): Promise<TestNode> {
  const node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, ...changes }, events);
  running.push(node);
  return node;
}

/** Closes all nodes that `startNode` has started. */
export async function closeNodes(): Promise<void> {
  for (const node of running.splice(0)) await node.close();
}

/** An error of an answer. */
export interface CallError {
  readonly code: number;
  readonly message: string;
}

/** Calls a method over HTTP; gives its result, or the error of the answer. */
export function call(node: TestNode, method: string, ...params: readonly unknown[]): Promise<unknown> {
  return callAt(node.url, method, params);
}

/** The same at `/ethereum`. */
export function callEthereum(
  node: TestNode,
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> {
  return callAt(`${node.url}/ethereum`, method, params);
}

async function callAt(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const { result, error } = await request(url, method, ...params);
  return error ?? result;
}

/** Sends a unit from the first account to the second; the hash. */
export async function send(node: TestNode, value = '0x1'): Promise<string> {
  return String(await call(node, 'eth_sendTransaction', { from: ALICE, to: BOB, value }));
}

/** The newest block's number and its time in Unix seconds. */
export async function head(node: TestNode): Promise<{ number: number; timestamp: number }> {
  const block = (await call(node, 'eth_getBlockByNumber', 'latest', false)) as Record<string, string>;
  return { number: Number(block.number), timestamp: Number(block.timestamp) };
}

/**
 * Expects that a time of day is what it was at a moment, or as many seconds later as have passed since then.
 *
 * @param began what `performance.now` said when the time was `least` or not yet that
 */
export function expectTimeOfDay(seconds: number, least: number, began: number): void {
  expect(seconds).toBeGreaterThanOrEqual(least);
  // A second may have begun at any moment of them.
  expect(seconds).toBeLessThanOrEqual(least + Math.ceil((performance.now() - began) / 1_000));
}
