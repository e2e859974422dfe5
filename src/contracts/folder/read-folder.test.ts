import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes, keccak256, utf8ToBytes } from '../../protocol/index.ts';
import { ArtifactRegistry, readFolder } from '../index.ts';
import { readFolderJob } from './read-folder.ts';

let project: string;
const skipped: string[] = [];

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'ledgerd-project-'));
  skipped.length = 0;
});

afterEach(() => rmSync(project, { recursive: true, force: true }));

function write(path: string, content: unknown): void {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

function read(folder = 'out'): ArtifactRegistry {
  const registry = new ArtifactRegistry();
  readFolder(join(project, folder), registry, (path, reason) =>
    skipped.push(`${path.slice(project.length + 1)}: ${reason}`),
  );
  return registry;
}

const artifactOf = (registry: ArtifactRegistry, code: string) => registry.ofCode(hexToBytes(code));
const sourcesOf = (registry: ArtifactRegistry, code: string) =>
  [...(artifactOf(registry, code)?.compilation?.sources() ?? [])].map(([id, { path, text }]) => [
    id,
    path,
    text(),
  ]);

const TEXTS = { 'src/A.sol': 'contract A { /* é */ }', 'lib/B.sol': 'contract B {}' };
const hashOf = (text: string) => ({ keccak256: `0x${bytesToHex(keccak256(utf8ToBytes(text)))}` });

/** An artifact of Foundry, whose metadata names two sources. */
function foundry(code: string, id: number, texts: Readonly<Record<string, string>> = TEXTS): object {
  const sources = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, hashOf(text)]));
  const settings = { compilationTarget: { 'src/A.sol': 'A' }, optimizer: { enabled: true } };
  const metadata = { compiler: { version: '0.8.30+commit.73712a01' }, settings, sources };
  return {
    abi: [],
    bytecode: { object: '0x', sourceMap: '' },
    deployedBytecode: { object: `0x${code}`, sourceMap: '0:1:0:-', immutableReferences: {} },
    rawMetadata: JSON.stringify(metadata),
    metadata,
    id,
  };
}

describe("Foundry's out", () => {
  beforeEach(() => {
    for (const [path, text] of Object.entries(TEXTS)) write(path, text);
  });

  test('behavior: numbers of the compilation that has all sources; texts with the hash of the metadata', () => {
    write('out/A.sol/A.json', foundry('6001', 4));
    write('out/build-info/1.json', { id: '1', source_id_to_path: { 0: 'src/A.sol', 1: 'src/Other.sol' } });
    write('out/build-info/2.json', { id: '2', source_id_to_path: { 4: 'src/A.sol', 2: 'lib/B.sol' } });
    const registry = read();
    expect(sourcesOf(registry, '6001')).toEqual([
      [2, 'lib/B.sol', TEXTS['lib/B.sol']],
      [4, 'src/A.sol', TEXTS['src/A.sol']],
    ]);
    const artifact = artifactOf(registry, '6001');
    expect(artifact?.compilation?.compiler()).toBe('0.8.30+commit.73712a01');
    expect(artifact?.output('metadata')).toMatch(/^\{"compiler"/);
    expect(artifact?.sourceText()).toBe(TEXTS['src/A.sol']);
    write('lib/B.sol', 'contract B { }');
    expect(sourcesOf(registry, '6001')[0]).toEqual([2, 'lib/B.sol', undefined]);
    expect(skipped).toEqual([]);
  });

  test('behavior: no source by a number on which two compilations disagree', () => {
    write('out/A.sol/A.json', foundry('6001', 0));
    write('out/build-info/1.json', { source_id_to_path: { 0: 'src/A.sol', 1: 'lib/B.sol' } });
    write('out/build-info/2.json', { source_id_to_path: { 0: 'src/A.sol', 1: 'src/C.sol', 2: 'lib/B.sol' } });
    expect(sourcesOf(read(), '6001')).toEqual([[0, 'src/A.sol', TEXTS['src/A.sol']]]);
  });

  test('error: a source outside of the project', () => {
    const outside = { '../outside.sol': 'contract A {}' };
    write('out/A.sol/A.json', foundry('6001', 0, { ...TEXTS, ...outside }));
    write('out/build-info/1.json', {
      source_id_to_path: { 0: 'src/A.sol', 1: '../outside.sol', 2: 'lib/B.sol' },
    });
    writeFileSync(join(dirname(project), 'outside.sol'), 'contract A {}');
    expect(sourcesOf(read(), '6001')[1]).toEqual([1, '../outside.sol', undefined]);
    rmSync(join(dirname(project), 'outside.sol'));
  });
});

/** The output of a compiler for a source. */
function output(name: string, code: string, parts: object = {}): object {
  const evm = {
    bytecode: { object: '' },
    deployedBytecode: { object: code, sourceMap: '0:1:3:-' },
    ...parts,
  };
  return {
    sources: { [name]: { id: 3, ast: { nodeType: 'SourceUnit' } } },
    contracts: { [name]: { A: { abi: [], evm } } },
  };
}

describe("Hardhat's artifacts", () => {
  test.each([
    ['project/contracts/A.sol', 'contracts/A.sol'],
    ['npm/@openzeppelin/contracts@5.4.0/token/A.sol', '@openzeppelin/contracts/token/A.sol'],
    ['npm/solmate@6.8.0/src/A.sol', 'solmate/src/A.sol'],
    ['contracts/A.sol', 'contracts/A.sol'],
  ])('behavior: Hardhat 3 names %s', (name, path) => {
    const input = { sources: { [name]: { content: 'contract A {}' } }, settings: { viaIR: true } };
    write('out/build-info/1f.json', { solcLongVersion: '0.8.30+commit.73712a01', input });
    write('out/build-info/1f.output.json', { output: output(name, '6001') });
    const registry = read();
    expect(sourcesOf(registry, '6001')).toEqual([[3, path, 'contract A {}']]);
    const { compilation } = artifactOf(registry, '6001') ?? {};
    expect([compilation?.compiler(), compilation?.settings()]).toEqual([
      '0.8.30+commit.73712a01',
      { viaIR: true },
    ]);
    expect(compilation?.sources().get(3)).toMatchObject({ name });
    expect(compilation?.sources().get(3)?.ast()).toEqual({ nodeType: 'SourceUnit' });
    write('out/build-info/1f.json', { input: { sources: {} } });
    expect(artifactOf(registry, '6001')?.sourceText()).toBeUndefined();
  });

  test('behavior: immutable values and libraries by references', () => {
    const zero = `7f${'00'.repeat(32)}50`;
    const deployed = (references?: object) => ({
      deployedBytecode: { object: `${zero}${zero}`, ...(references && { immutableReferences: references }) },
    });
    const changed = `${zero}7f${'11'.repeat(32)}50`;
    write('out/1.json', {
      input: {},
      output: output('A.sol', '', deployed({ 7: [{ start: 35, length: 32 }] })),
    });
    expect(artifactOf(read(), changed)?.output('immutableReferences')).toEqual({
      7: [{ start: 35, length: 32 }],
    });
    write('out/1.json', {
      input: {},
      output: output('A.sol', '', deployed({ 7: [{ start: 1, length: 32 }] })),
    });
    expect(artifactOf(read(), changed)).toBeUndefined();
    const wrong = { 7: [{ start: 35, length: 900 }, { start: -1, length: 32 }, null, 7], 8: 'none' };
    write('out/1.json', { input: {}, output: output('A.sol', '', deployed(wrong)) });
    expect([artifactOf(read(), changed), artifactOf(read(), `${zero}${zero}`)?.name]).toEqual([
      undefined,
      'A',
    ]);
    write('out/1.json', { input: {}, output: output('A.sol', '', deployed()) });
    expect(artifactOf(read(), changed)?.name).toBe('A');
  });
});

describe('bad files', () => {
  test('error: a reason for each', () => {
    write('out/cut.json', '{"abi": [');
    write('out/list.json', '[]');
    write('out/empty.json', '');
    write('out/long.json', { contractName: 'A'.repeat(10_000), abi: [], deployedBytecode: '0x6001' });
    write('out/layout.json', { input: {}, output: { contracts: { a: { A: 7 } } } });
    expect(read().size).toBe(0);
    expect(skipped.map((line) => line.replace(/A{256}/, 'A…'))).toEqual([
      'out/cut.json: the JSON ends too early',
      'out/empty.json: it is not a JSON object',
      'out/layout.json: A is not an object',
      'out/list.json: it is not a JSON object',
      'out/long.json: A…: the name or path has more than 512 characters',
    ]);
  });
});

test('behavior: steps of a large build-info are short', () => {
  const nodes = Array.from({ length: 200_000 }, (_, id) => ({
    id,
    nodeType: 'Identifier',
    src: `${id}:1:0`,
  }));
  const large = { input: { sources: {} }, output: { ...output('A.sol', '6001'), errors: nodes } };
  write('out/large.json', large);
  const registry = new ArtifactRegistry();
  const steps = readFolderJob(join(project, 'out'), registry, (path) => skipped.push(path));
  const durations: number[] = [];
  for (let before = performance.now(); steps.next().done !== true; before = performance.now())
    durations.push(performance.now() - before);
  expect(durations.length).toBeGreaterThan(30);
  expect(durations.sort((one, other) => one - other)[Math.floor(durations.length * 0.9)]).toBeLessThan(20);
  expect([artifactOf(registry, '6001')?.name, skipped]).toEqual(['A', []]);
});
