import { type Abi, encodeFunctionData } from 'viem';
import { describe, expect, test } from 'vitest';
import { failureLineOf } from '../../src/contracts/artifacts/failure-line.ts';
import { artifactsOfCompilation } from '../../src/contracts/index.ts';
import { CONTRACT, createFixture } from '../../src/evm/testing/engine.testing.ts';
import { hexToBytes } from '../../src/protocol/index.ts';
import { generateContract } from './generated-reverts.ts';

const FILE = 'Generated.sol';
const FUNCTIONS = 9;

/** Compiles generated contracts, and finds the line of each of their failures. */
async function linesOf(seed: number, settings: object) {
  const { default: solc } = await import('solc');
  const { text, failures } = generateContract(seed, FUNCTIONS);
  const input = {
    language: 'Solidity',
    sources: { [FILE]: { content: text } },
    settings: {
      ...settings,
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: () => ({ error: 'none' }) }));
  const abi: Abi = output.contracts[FILE].Generated.abi;
  const artifact = artifactsOfCompilation(input, output).find(({ name }) => name === 'Generated');
  if (artifact?.runtime === undefined || artifact.runtimeMap === undefined) throw new Error('it is compiled');
  const { runtime, runtimeMap } = artifact;
  const { engine, place, send } = await createFixture();
  // As the constructor leaves it.
  place(CONTRACT, runtime.bytes, { storage: { 0: 1n, 1: 1n } });
  const found = failures.map(({ name, value, line }) => {
    let path: readonly number[] = [];
    engine.listener = {
      needsPaths: true,
      leave: (end) => {
        path = end.path?.() ?? [];
      },
    };
    const call = encodeFunctionData({ abi, functionName: name, args: [50n, BigInt(value)] });
    expect(send({ data: hexToBytes(call.slice(2)) }).status).not.toBe('success');
    engine.discard();
    return { name, value, line, found: failureLineOf(runtimeMap, runtime.bytes, path, name)?.line };
  });
  return { found, runtime, runtimeMap };
}

describe('the line of each of 108 generated failures', () => {
  test.each([
    ['without the optimizer', { optimizer: { enabled: false } }, 108],
    ['with the optimizer', { optimizer: { enabled: true, runs: 200 } }, 80],
    ['by the IR', { viaIR: true, optimizer: { enabled: false } }, 108],
    ['by the IR with the optimizer', { viaIR: true, optimizer: { enabled: true, runs: 200 } }, 1],
  ])('behavior: never another line, %s', async (_title, settings, least) => {
    const { found } = await linesOf(3, settings);
    expect(found).toHaveLength(108);
    const named = found.filter((failure) => failure.found !== undefined);
    expect(named.filter((failure) => failure.found !== failure.line)).toEqual([]);
    expect(named.length).toBeGreaterThanOrEqual(least);
  });
});

test('error: a map past its file, with missing or wrong entries, and a path past the code', async () => {
  const sources = new Map([
    [0, { name: 'a', path: 'a', text: () => 'contract A { function f() public {} }', ast: () => undefined }],
  ]);
  const compilation = { compiler: () => undefined, settings: () => undefined, sources: () => sources };
  const maps = [
    '',
    ';;;',
    '900:5:0:-',
    '5:900000:0:i',
    '-1:-5:0:o',
    'x:y:z:w',
    '1:1:7',
    '0:1:0:-;;;:::i;:::o',
  ];
  const code = Uint8Array.of(0x60, 0, 0x56, 0x5b, 0x5b, 0x57, 0xfd);
  for (const entries of maps) {
    for (const path of [[], [0], [0, 2, 3], [3, 3, 5, 900], [900]]) {
      const line = failureLineOf({ entries, compilation }, code, path, 'f');
      expect(line === undefined || (line.path === 'a' && line.line === 1)).toBe(true);
    }
  }
});
