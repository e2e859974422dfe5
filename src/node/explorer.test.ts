import { afterEach, expect, test } from 'vitest';
import { DEFAULT_CONFIGURATION } from './configuration.ts';
import { TestNodes } from './node.testing.ts';
import { startTestNode } from './test-node.ts';

const nodes = new TestNodes();
afterEach(() => nodes.clean());

/** Loads the page as a browser does: the status, and the texts of the page and of its files. */
async function browse(url: string): Promise<{ readonly status: number; readonly texts: readonly string[] }> {
  const response = await fetch(url, { headers: { accept: 'text/html' } });
  const text = await response.text();
  const paths = [...text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => path ?? '');
  const files = await Promise.all(paths.map((path) => fetch(`${url}/${path}`)));
  expect(files.map(({ status }) => status)).toEqual(files.map(() => 200));
  return { status: response.status, texts: [text, ...(await Promise.all(files.map((file) => file.text())))] };
}

test('default: test mode shows the explorer', async () => {
  const node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0 });
  try {
    const { status, texts } = await browse(node.url);
    expect(status).toBe(200);
    expect(texts[0]).toContain('<title>ledgerd explorer</title>');
    expect(texts.length).toBeGreaterThan(2);
    expect(node.description.explorerUrl).toBe(`${node.url}/`);
  } finally {
    await node.close();
  }
});

test('behavior: the page contains no external URLs', async () => {
  const node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0 });
  try {
    const { texts } = await browse(node.url);
    const addresses = texts.flatMap((text) => text.match(/\b(?:https?|wss?):\/\/[^\s"'`)]+/g) ?? []);
    // The names of markup languages are addresses that nobody asks.
    const asked = addresses.filter((address) => !address.startsWith('http://www.w3.org/'));
    expect(asked).toEqual([]);
  } finally {
    await node.close();
  }
});

test('args: test mode without it', async () => {
  const node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, explorer: false });
  try {
    expect((await browse(node.url)).status).toBe(405);
    expect(node.description.explorerUrl).toBeUndefined();
  } finally {
    await node.close();
  }
});

test('default: the node of a chain shows none', async () => {
  const node = await nodes.start(await nodes.initialize());
  expect((await browse(node.url)).status).toBe(405);
  expect(node.description.explorerUrl).toBeUndefined();
});

test('args: serves the explorer of a chain, and accepts requests from its own page', async () => {
  const node = await nodes.start(await nodes.initialize(), { explorer: true });
  expect((await browse(node.url)).status).toBe(200);
  const ask = (origin: string): Promise<Response> =>
    fetch(node.url, {
      method: 'POST',
      headers: { origin },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
    });
  expect((await ask(node.url)).status).toBe(200);
  expect((await ask('http://127.0.0.1:1')).status).toBe(403);
});
