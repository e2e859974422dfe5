import fc from 'fast-check';
import solc from 'solc';
import { describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes } from '../../protocol/index.ts';
import {
  type CodePattern,
  codePatternOf,
  matchOfCreation,
  matchOfRuntime,
  valuesOf,
} from './code-pattern.ts';
import { lengthWithoutMetadata, metadataSections } from './metadata-sections.ts';

const COMMENT = '// The first text.';
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
${COMMENT}
library Sums { function sum(uint a, uint b) external pure returns (uint) { return a + b; } }
contract Child { uint public immutable seed; constructor(uint s) { seed = s; } }
contract Factory {
  uint public immutable base;
  address public immutable owner;
  Child public child;
  constructor(uint b) { base = b; owner = msg.sender; }
  function make() external { child = new Child(Sums.sum(base, 1)); }
}`;

interface Code {
  readonly object: string;
  readonly immutableReferences?: Readonly<Record<string, readonly { start: number; length: number }[]>>;
  readonly linkReferences: Readonly<Record<string, unknown>>;
}
type Compiled = Readonly<Record<string, { evm: { bytecode: Code; deployedBytecode: Code } }>>;

function compile(source: string): Compiled {
  const outputSelection = { '*': { '*': ['evm.bytecode', 'evm.deployedBytecode'] } };
  const sources = { 'A.sol': { content: source } };
  const input = { language: 'Solidity', sources, settings: { outputSelection } };
  return JSON.parse(solc.compile(JSON.stringify(input), { import: () => ({ error: 'no imports' }) }))
    .contracts['A.sol'];
}

function patternOf(code: Code | undefined, isRuntime = true): CodePattern {
  const { linkReferences, immutableReferences = {} } = code ?? {};
  const pattern = codePatternOf(
    code?.object,
    isRuntime ? { linkReferences, immutableReferences } : { linkReferences },
  );
  if (pattern === undefined) throw new TypeError('no code');
  return pattern;
}

/** Fills the gaps of code as a deployment does. */
function deployed(pattern: CodePattern, fill = 7): Uint8Array {
  const code = pattern.bytes.slice();
  for (const { start, length } of pattern.gaps) code.fill(fill, start, start + length);
  return code;
}

describe('code of the compiler', () => {
  const factory = compile(SOURCE).Factory?.evm;
  const commented = compile(SOURCE.replace(COMMENT, '// Another text.')).Factory?.evm;
  const changed = compile(SOURCE.replace('base, 1', 'base, 2')).Factory?.evm;
  const pattern = patternOf(factory?.deployedBytecode);

  test('behavior: immutable values, a library and the metadata of a child', () => {
    expect(pattern.gaps.map(({ kind }) => kind).sort()).toEqual(
      ['immutable', 'immutable', 'library', 'immutable'].sort(),
    );
    expect(pattern.inner).toHaveLength(1);
    expect(matchOfRuntime(pattern, deployed(pattern))).toBe('exact_match');
    expect(matchOfRuntime(pattern, deployed(patternOf(commented?.deployedBytecode)))).toBe('match');
    const other = deployed(patternOf(changed?.deployedBytecode));
    const offset = matchOfRuntime(pattern, other);
    expect(typeof offset).toBe('number');
    expect(other.findIndex((byte, index) => byte !== deployed(pattern)[index])).toBe(offset);
  });

  test('behavior: values of immutables by the number of their variable, addresses of libraries by name', () => {
    const { immutables, libraries } = valuesOf(pattern, deployed(pattern));
    const ids = Object.keys(factory?.deployedBytecode.immutableReferences ?? {});
    expect(immutables).toEqual(Object.fromEntries(ids.map((id) => [id, `0x${'07'.repeat(32)}`])));
    expect(libraries).toEqual({ 'A.sol:Sums': `0x${'07'.repeat(20)}` });
  });

  test('behavior: creation code, and the arguments after it', () => {
    const creation = patternOf(factory?.bytecode, false);
    const input = Buffer.concat([deployed(creation), Buffer.alloc(32, 1)]);
    expect(matchOfCreation(creation, input)).toBe('exact_match');
    expect(matchOfCreation(patternOf(commented?.bytecode, false), input)).toBe('match');
    expect(typeof matchOfCreation(patternOf(changed?.bytecode, false), input)).toBe('number');
    expect(matchOfCreation(creation, input.subarray(0, 40))).toBe(40);
  });

  test('behavior: the address that a library begins with', () => {
    const library = patternOf(compile(SOURCE).Sums?.evm.deployedBytecode);
    const code = library.bytes.slice().fill(9, 1, 21);
    expect(matchOfRuntime(library, code)).toBe('exact_match');
  });
});

/** Metadata of Solidity: its map, and the length of it. */
const metadata = fc
  .record({
    key: fc.constantFrom('64697066735822', '65627a7a72305820', '65627a7a72315820'),
    hash: fc.uint8Array({ minLength: 34, maxLength: 34 }),
    version: fc.constantFrom('64736f6c6343000824', '64736f6c63782b', ''),
  })
  .map(({ key, hash, version }) => {
    const value = bytesToHex(hash).slice(0, key.endsWith('22') ? 68 : 64);
    const text = version.endsWith('2b') ? version + '30'.repeat(0x2b) : version;
    const map = `${version === '' ? 'a1' : 'a2'}${key}${value}${text}`;
    return `${map}${(map.length / 2).toString(16).padStart(4, '0')}`;
  });
/** Instructions without a byte that begins a map. */
const plain = fc
  .array(fc.integer({ min: 0, max: 0x5f }), { minLength: 1, maxLength: 40 })
  .map((bytes) => bytesToHex(Uint8Array.from(bytes)));

describe('any code', () => {
  test('behavior: sections are found where they are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, metadata), { minLength: 1, maxLength: 4 }), (parts) => {
        const code = hexToBytes(parts.flat().join(''));
        let offset = 0;
        const sections = parts.map(([before, section]) => {
          const start = offset + before.length / 2;
          offset = start + section.length / 2;
          return [start, offset];
        });
        expect(metadataSections(code, code.length)).toEqual(sections);
        expect(lengthWithoutMetadata(code)).toBe(sections.at(-1)?.[0]);
      }),
    );
  });

  test('behavior: a byte that differs outside of gaps and metadata is found, one inside is not', () => {
    fc.assert(
      fc.property(plain, metadata, plain, metadata, fc.nat(), (first, inner, second, last, position) => {
        const gap = { start: 0, length: 1 };
        const digits = `00${first}${inner}${second}${last}`;
        const pattern = codePatternOf(digits, { immutableReferences: { 7: [gap] }, linkReferences: {} });
        if (pattern === undefined) throw new TypeError('no code');
        expect(matchOfRuntime(pattern, pattern.bytes)).toBe('exact_match');
        const code = pattern.bytes.slice();
        const changed = position % pattern.length;
        code[changed] = (code[changed] ?? 0) ^ 1;
        const [start = 0, end = 0] = pattern.inner[0] ?? [];
        const isMetadata = changed >= start && changed < end;
        const expected = changed === 0 ? 'exact_match' : isMetadata ? 'match' : changed;
        expect(matchOfRuntime(pattern, code)).toBe(expected);
      }),
    );
  });

  test('behavior: arbitrary bytes and references never throw', () => {
    const references = fc.record({ immutableReferences: fc.anything(), linkReferences: fc.anything() });
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.uint8Array({ maxLength: 300 }),
        references,
        (one, other, given) => {
          const pattern = codePatternOf(bytesToHex(one), given);
          if (pattern === undefined) return;
          expect(matchOfRuntime(pattern, one)).toMatch(/match/);
          expect(['number', 'string']).toContain(typeof matchOfRuntime(pattern, other));
          expect(['number', 'string']).toContain(typeof matchOfCreation(pattern, other));
        },
      ),
    );
  });
});
