import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { serve, type TestRemote } from '../../fork/remote.testing.ts';
import {
  DEFAULT_CONFIGURATION,
  DEFAULT_ETHEREUM,
  type ForkConfiguration,
  type ForkSource,
  startTestNode,
} from '../index.ts';

/** A contract that returns the word of the slot that the call names. */
export const READER = '0xc0de00000000000000000000000000000000c0de';
const READER_CODE = '0x6000355460005260206000f3';

/** A node and calls of it. */
export interface CalledNode {
  readonly url: string;
  call(method: string, ...params: unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

/** Returns a number as a word of 32 bytes. */
export function word(value: number): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

/** Creates a folder until the end of the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-fork-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Gives the test a cache folder of its own. Returns the folder of the forks in it. */
export function useTemporaryCache(): string {
  const folder = temporaryFolder();
  vi.stubEnv('XDG_CACHE_HOME', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return join(folder, 'ledgerd', 'forks');
}

/** Starts a node with a contract of many slots, and a remote node in front of it that counts the requests. */
export async function startUpstream(): Promise<{ readonly node: CalledNode; readonly remote: TestRemote }> {
  const node = await startNode({});
  await node.call('anvil_setCode', READER, READER_CODE);
  for (let slot = 0; slot < 20; slot += 1)
    await node.call('anvil_setStorageAt', READER, word(slot), word(slot + 7));
  await node.call('eth_sendTransaction', {
    from: ((await node.call('eth_accounts')) as string[])[0],
    to: READER,
    value: '0x5',
  });
  return { node, remote: await startRelay(node) };
}

/** Starts a remote node in front of another one, that records the requests. */
export function startRelay({ url }: Pick<CalledNode, 'url'>): Promise<TestRemote> {
  return serve((body, response) => {
    void fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
      .then((answer) => answer.text())
      .then((text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text));
  });
}

/** Starts a forked node. */
export function startFork(
  source: ForkSource,
  options: { readonly dataDir?: string; readonly fork?: Partial<ForkConfiguration> } = {},
): Promise<CalledNode> {
  const { dataDir, fork = {} } = options;
  const configuration: ForkConfiguration = {
    ...{ source, keepsChainId: true, headers: [], retries: 1, timeoutMs: 10_000, backoffMs: 1 },
    ...{ verifies: false, trustsHeader: true, caches: true, ...fork },
  };
  return startNode({ dataDir, fork: configuration });
}

/** Starts the node of a data folder without a remote node. */
export function startNode(parts: {
  readonly dataDir?: string | undefined;
  readonly fork?: ForkConfiguration;
}): Promise<CalledNode> {
  return startTestNode({ ...DEFAULT_CONFIGURATION, ...parts, port: 0, ethereum: DEFAULT_ETHEREUM }).then(
    (started) => {
      const url = `${started.url}/ethereum`;
      let isOpen = true;
      const close = async (): Promise<void> => {
        if (isOpen) await started.close();
        isOpen = false;
      };
      onTestFinished(close);
      return { url, close, call: (method, ...params) => callNode(url, method, params) };
    },
  );
}

async function callNode(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'content-type': 'application/json' },
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
}
