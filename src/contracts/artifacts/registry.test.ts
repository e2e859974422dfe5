import { describe, expect, test } from 'vitest';
import { hexToBytes, toAddress } from '../../protocol/index.ts';
import { ArtifactError, ArtifactRegistry, artifactOf, artifactsOfCompilation } from '../index.ts';
import { ARTIFACTS_MAX } from './registry.ts';

const ABI = [{ type: 'function', name: 'f', inputs: [], outputs: [] }];
/** A map of one entry and its length, as solc ends code with it. */
const metadata = (digit: string) => `a1${digit.repeat(100)}0033`;
const LIBRARY = `__$${'1'.repeat(34)}$__`;
const ADDRESS = toAddress(new Uint8Array(20).fill(7));
const bytes = (digits: string) => hexToBytes(digits);

/** Code with an immutable value, a library, and metadata. */
const code = (immutable: string, library: string, end: string) =>
  `60017f${immutable.repeat(64)}5073${library}50${metadata(end)}`;

function registryOf(parts: Partial<Parameters<typeof artifactOf>[0]>): ArtifactRegistry {
  const registry = new ArtifactRegistry();
  registry.add('a', [artifactOf({ name: 'A', abi: ABI, ...parts })]);
  return registry;
}

describe('matching code to artifacts', () => {
  test('behavior: metadata, libraries and immutable values differ', () => {
    const registry = registryOf({ runtime: `0x${code('0', LIBRARY, 'a')}` });
    expect(registry.ofCode(bytes(code('5', '7'.repeat(40), 'b')))?.name).toBe('A');
    expect(registry.ofCode(bytes(code('5', '7'.repeat(40), 'b').replace(/^6001/, '6002')))).toBeUndefined();
    expect(registry.ofCode(bytes(`00${code('5', '7'.repeat(40), 'b')}`))).toBeUndefined();
    expect(registry.ofCode(new Uint8Array(0))).toBeUndefined();
  });

  test('behavior: creation code has the prefix of the compiler, followed by arguments', () => {
    const registry = registryOf({ creation: code('0', LIBRARY, 'a') });
    const input = code('0', '7'.repeat(40), 'a');
    expect(registry.ofCreation(bytes(`${input}${'00'.repeat(64)}`))?.name).toBe('A');
    expect(registry.ofCreation(bytes(input.slice(0, 60)))).toBeUndefined();
  });

  test('behavior: an artifact for an address, and a new compilation', () => {
    const registry = new ArtifactRegistry();
    registry.add('a', [artifactOf({ name: 'Named', abi: ABI })], ADDRESS);
    expect(registry.contractAt(ADDRESS, bytes('00'))?.name).toBe('Named');
    registry.add('b', [artifactOf({ name: 'A', abi: ABI, runtime: '0x6001' })]);
    registry.add('b', [artifactOf({ name: 'A', abi: ABI, runtime: '0x6002' })]);
    expect([registry.ofCode(bytes('6001')), registry.ofCode(bytes('6002'))?.name]).toEqual([undefined, 'A']);
    registry.removeOrigin('b');
    expect(registry.ofCode(bytes('6002'))).toBeUndefined();
  });

  test('behavior: the oldest artifact is evicted when the registry is full', () => {
    const registry = new ArtifactRegistry();
    const named = (name: string) => artifactOf({ name, abi: ABI, runtime: `0x${name}` });
    for (let count = 0; count <= ARTIFACTS_MAX; count += 1) {
      registry.add('a', [named((0x6000_0000 + count).toString(16))]);
    }
    expect(registry.ofCode(bytes('60000000'))).toBeUndefined();
    expect(registry.ofCode(bytes('60000001'))?.name).toBe('60000001');
  });
});

describe('malformed artifacts', () => {
  test.each([
    ['no list', {}],
    ['an entry that is none', [7]],
    ['parameters that are none', [{ type: 'function', name: 'f', inputs: [{ type: 'what' }] }]],
  ])('error: an ABI of %s', (_title, abi) => {
    expect(() => artifactOf({ name: 'A', abi })).toThrow(ArtifactError);
  });

  test.each([
    ['no objects', 7, 8],
    ['contracts that are none', {}, { contracts: { a: { A: 7 } } }],
    ['sources that are none', { sources: { a: 7 } }, { sources: { a: { id: 0 } } }],
  ])('error: a compilation of %s', (_title, input, output) => {
    expect(() => artifactsOfCompilation(input, output)).toThrow(ArtifactError);
  });

  test('behavior: code that is none is left out', () => {
    for (const runtime of ['0x', '0x0', 'zz', 7, undefined]) {
      expect(artifactOf({ name: 'A', abi: ABI, runtime }).runtime).toBeUndefined();
    }
  });
});
