import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { serve, type TestRemote } from '../../fork/remote.testing.ts';
import { StoreProcess } from '../../store/store-process.testing.ts';
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
  /** True for a chain with proofs of its state. */
  readonly hasStateTrie?: boolean;
}): Promise<CalledNode> {
  const { hasStateTrie = false, ...own } = parts;
  const ethereum = { ...DEFAULT_ETHEREUM, hasStateTrie };
  return startTestNode({ ...DEFAULT_CONFIGURATION, ...own, port: 0, ethereum }).then((started) => {
    const url = `${started.url}/ethereum`;
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) await started.close();
      isOpen = false;
    };
    onTestFinished(close);
    return { url, close, call: (method, ...params) => callNode(url, method, params) };
  });
}

/** Starts a forked node with a data folder, and reports its URL. */
const RUN_FORK = `
  const [url, dataDir, transaction, compiled] = words;
  const { startTestNode, DEFAULT_CONFIGURATION, DEFAULT_ETHEREUM } = await import(compiled + 'node/index.js');
  const { DEFAULT_FORK } = await import(compiled + 'node/fork-configuration.js');
  const source = { kind: 'remote', url, block: undefined };
  const options = transaction === '' ? {} : { transaction };
  const fork = { ...DEFAULT_FORK, ...options, source, trustsHeader: true, caches: false };
  const base = { ...DEFAULT_CONFIGURATION, port: 0, ethereum: DEFAULT_ETHEREUM };
  const node = await startTestNode({ ...base, dataDir, fork });
  say({ url: node.url + '/ethereum' });
  await nextLine();
  await node.close();
  process.exit();`;

/**
 * Starts a forked node in another process, which reports its URL and ends when it is told a line.
 * @param transaction that it is forked at; empty: at the newest block
 * @param launcher a command line that the process is started through
 */
export function startForkProcess(
  url: string,
  dataDir: string,
  transaction = '',
  launcher: readonly string[] = [],
): StoreProcess {
  const compiled = new URL('../../../dist/', import.meta.url).href;
  return new StoreProcess(RUN_FORK, [url, dataDir, transaction, compiled], launcher);
}

/** Calls a node. @throws Error with the message of an error that it responds with */
export async function callNode(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'content-type': 'application/json' },
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
}
