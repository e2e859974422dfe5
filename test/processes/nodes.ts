import { readFileSync } from 'node:fs';
import { afterEach, vi } from 'vitest';
import {
  DEFAULT_CONFIGURATION,
  type NodeNotice,
  startTestNode,
  type TestNode,
  type TestNodeConfiguration,
} from '../../src/node/index.ts';
import { isOfNode } from '../../src/node/notices.testing.ts';
import { request, send } from '../rpc-client.js';

/** A running node and its events. */
export interface Started {
  readonly node: TestNode;
  readonly notices: readonly NodeNotice[];
  /** Internal failures. */
  readonly failures: readonly unknown[];
}

const running: TestNode[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const node of running.splice(0)) await node.close();
});

/** Starts a node whose workers answer; it closes when the test ends. */
export async function start(changes: Partial<TestNodeConfiguration> = {}): Promise<Started> {
  const notices: NodeNotice[] = [];
  const configuration = { ...DEFAULT_CONFIGURATION, port: 0, workers: 2, ...changes };
  const failures: unknown[] = [];
  const node = await startTestNode(configuration, {
    onNotice: (notice) => isOfNode(notice) && notices.push(notice),
    onInternalFailure: (_task, error) => failures.push(error),
  });
  running.push(node);
  while ((await workersOf(node)) < configuration.workers) await new Promise(setImmediate);
  return { node, notices, failures };
}

/** The workers that are ready. */
export async function workersOf({ url }: TestNode): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^ledgerd_workers (\d+)$/m.exec(text)?.[1]);
}

/** Sends a body and gives the text of the response. */
export async function post({ url }: TestNode, body: unknown): Promise<string> {
  return (await send(url, JSON.stringify(body))).text;
}

/** Makes a call and gives the response. */
export async function call(
  { url }: TestNode,
  method: string,
  ...params: unknown[]
): Promise<Record<string, unknown>> {
  return { ...(await request(url, method, ...params)) };
}

/** True on Linux, where a process can list its child processes. */
export const isLinux = process.platform === 'linux';

/** Processes that this one has started. */
export function children(): readonly number[] {
  const text = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}
