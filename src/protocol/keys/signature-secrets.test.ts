import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { logExecution } from '../../../scripts/wasm/log-execution.js';
import { patternBytes } from '../hashing/hashing.testing.ts';
import { createKeyPair, toSeed, verifySignature } from '../index.ts';
import { signatureMemory } from './signature-module.ts';

const message = patternBytes(1_500);

/** Seeds that differ as much as seeds can, and some like any other. */
const SEEDS = [
  new Uint8Array(32),
  new Uint8Array(32).fill(255),
  ...Array.from({ length: 6 }, (_, seed) => patternBytes(32, seed + 1)),
].map(toSeed);

describe('the memory', () => {
  /** All of it after a pair was made and has signed. */
  function memoryAfter(seed: (typeof SEEDS)[number]): Uint8Array {
    const pair = createKeyPair(seed);
    pair.sign(message);
    return signatureMemory.slice();
  }

  test('behavior: is the same whatever the key was', () => {
    const [first, ...others] = SEEDS.map(memoryAfter);
    for (const other of others) expect(Buffer.compare(other, first ?? new Uint8Array())).toBe(0);
  });

  test('behavior: is the same whatever the message was', () => {
    const pair = createKeyPair(SEEDS[0] ?? toSeed(new Uint8Array(32)));
    const before = memoryAfter(pair.seed);
    pair.sign(patternBytes(77));
    expect(Buffer.compare(signatureMemory, before)).toBe(0);
  });

  test('behavior: retains verified data, which shows that the test above would detect a secret', () => {
    const pair = createKeyPair(toSeed(patternBytes(32)));
    const before = signatureMemory.slice();
    expect(verifySignature(pair.publicKey, message, pair.sign(message))).toBe(true);
    expect(Buffer.compare(signatureMemory, before)).not.toBe(0);
  });
});

interface TracedModule {
  readonly memory: WebAssembly.Memory;
  exchangeOffset(): number;
  absorb(piece: number, length: number): void;
  expandSeed(seed: number, expandedKey: number, publicKey: number): void;
  beginNonce(expandedKey: number): void;
  beginChallenge(publicKey: number, signature: number): void;
  finishSignature(expandedKey: number, signature: number): void;
  beginVerification(publicKey: number, signature: number): number;
  finishVerification(signature: number): number;
}

/**
 * The module with a call of ours at every load and store, which tells its place in the code and its address,
 * and at every beginning of a function and of a round of a loop.
 */
describe('the execution trace', () => {
  let traced: TracedModule;
  let steps = 0;
  let trace = 0;

  /** Adds a number to the trace: a multiplication makes the order count. */
  function note(value: number): void {
    steps++;
    trace = (Math.imul(trace, 0x01000193) ^ value) | 0;
  }

  beforeAll(() => {
    const bytes = logExecution(readFileSync(new URL('../../../build/signatures.wasm', import.meta.url)));
    const same = (_place: number, value: unknown) => value;
    const values = ['i32', 'i64', 'f32', 'f64'].flatMap((type) =>
      ['load', 'store', 'struct_get', 'struct_set', 'array_get', 'array_set'].map((kind) => [
        `${kind}_val_${type}`,
        same,
      ]),
    );
    const noteAddress = (place: number, _bytes: number, offset: number, address: number) => {
      note(place);
      note(offset + address);
      return address;
    };
    const env = {
      ...Object.fromEntries(values),
      ...{ array_get_index: same, array_set_index: same, memory_grow_pre: same, memory_grow_post: same },
      ...{ load_ptr: noteAddress, store_ptr: noteAddress, log_execution: note },
    };
    traced = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env })
      .exports as unknown as TracedModule;
  });

  function traceOf(action: () => void): { steps: number; trace: number } {
    steps = 0;
    trace = 0;
    action();
    return { steps, trace };
  }

  /** Makes a key, and a signature with it. */
  function makeSignature(seed: Uint8Array): void {
    const memory = new Uint8Array(traced.memory.buffer);
    const key = traced.exchangeOffset();
    const [publicKey, signature, piece] = [key + 64, key + 96, key + 160];
    memory.set(seed, key);
    traced.expandSeed(key, key, publicKey);
    traced.beginNonce(key);
    memory.set(message.subarray(0, 100), piece);
    traced.absorb(piece, 100);
    traced.beginChallenge(publicKey, signature);
    traced.absorb(piece, 100);
    traced.finishSignature(key, signature);
  }

  function verifyLast(): void {
    const key = traced.exchangeOffset();
    expect(traced.beginVerification(key + 64, key + 96)).toBe(1);
    traced.absorb(key + 160, 100);
    expect(traced.finishVerification(key + 96)).toBe(1);
  }

  test('behavior: is the same whatever the key is', () => {
    const seeds = [...SEEDS, ...Array.from({ length: 40 }, (_, seed) => patternBytes(32, seed + 100))];
    // The tables are made first.
    makeSignature(seeds[0] ?? new Uint8Array(32));
    const traces = seeds.map((seed) => traceOf(() => makeSignature(seed)));
    expect(traces[0]?.steps).toBeGreaterThan(100_000);
    for (const other of traces) expect(other).toEqual(traces[0]);
  });

  test('behavior: differs in verification, where it may, so the test above would detect a branch', () => {
    const traces = SEEDS.map((seed) => {
      makeSignature(seed);
      return traceOf(verifyLast).trace;
    });
    expect(new Set(traces).size).toBe(traces.length);
  });
});
