import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_ETHEREUM } from '../../src/node/index.ts';
import { callEthereum, closeNodes, startNode } from '../../src/node/test-chain/test-chain.testing.ts';
import { type JsonText, objectOf, textOf } from './json-text.ts';
import { mutate } from './mutations.ts';
import { Random } from './random.ts';

/** Dumps that resemble one of anvil; `STATE_DUMPS` and `STATE_DUMPS_SEED` of the environment choose others. */
const COUNT = Number(process.env.STATE_DUMPS ?? 1_000);
const SEED = Number(process.env.STATE_DUMPS_SEED ?? 31);
const FILE = new URL('../../src/node/state-dump/anvil-state.testing.json', import.meta.url);
const TEXT = readFileSync(FILE, 'utf8');
const CONTRACT = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
/** Invalid parameters, a limit, and a chain that cannot do this. */
const REFUSALS = [-32602, -32005, -32603];

afterEach(closeNodes);

/** Returns a value of JSON as the mutations take it. */
function jsonTextOf(value: unknown): JsonText {
  if (Array.isArray(value)) return value.map(jsonTextOf);
  if (typeof value !== 'object' || value === null) return value as JsonText;
  return objectOf(
    Object.fromEntries(Object.entries(value).map(([key, member]) => [key, jsonTextOf(member)])),
  );
}

/** Changes a value of the dump, or bytes of its text, or bytes of its compressed text. */
function damaged(random: Random, dump: JsonText): Uint8Array {
  const kind = random.below(8);
  if (kind < 6) {
    let changed = mutate(random, dump);
    while (random.oneIn(3)) changed = mutate(random, changed);
    const text = Buffer.from(textOf(changed));
    return kind < 5 ? gzipSync(text, { level: 1 }) : text;
  }
  const bytes = kind === 6 ? Buffer.from(TEXT) : gzipSync(TEXT);
  bytes[random.below(bytes.length)] = random.next();
  return random.oneIn(3) ? bytes.subarray(0, random.below(bytes.length)) : bytes;
}

test('behavior: damaged state dumps are loaded or refused, and leave a chain that works', async () => {
  const random = new Random(SEED);
  const dump = jsonTextOf(JSON.parse(TEXT));
  const failures: unknown[] = [];
  const node = await startNode(
    { network: 'local', ethereum: DEFAULT_ETHEREUM },
    { onInternalFailure: (task, error) => failures.push([task, error]) },
  );
  const load = (bytes: Uint8Array): Promise<unknown> =>
    callEthereum(node, 'anvil_loadState', `0x${Buffer.from(bytes).toString('hex')}`);
  const outcomes = { loaded: 0, refused: 0 };
  for (let index = 0; index < COUNT; index += 1) {
    const result = await load(damaged(random, dump));
    if (result === true) outcomes.loaded += 1;
    else {
      outcomes.refused += 1;
      const { code, message } = result as { code: number; message: string };
      expect(REFUSALS, `dump ${index}: ${message}`).toContain(code);
      expect(message, `dump ${index}`).not.toMatch(/internal error/i);
    }
    if (index % 20 === 0) expect(await callEthereum(node, 'eth_blockNumber')).toMatch(/^0x/);
  }
  expect(failures).toEqual([]);
  expect(outcomes.loaded).toBeGreaterThan(0);
  expect(outcomes.refused).toBeGreaterThan(outcomes.loaded);
  expect(await load(Buffer.from(TEXT))).toBe(true);
  expect(await callEthereum(node, 'eth_call', { to: CONTRACT }, 'latest')).toBe(
    `0x${(42).toString(16).padStart(64, '0')}`,
  );
}, 300_000);
