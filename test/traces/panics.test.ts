import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Program, runProgram, startProgram } from '../program.ts';
import { BUILDS, compilePanics, lineOf, type PanicContract } from './panic-project.ts';

/** The line of the source for each panic and each setting of the compiler, in the log and on the command line. */
const FROM = '0x0000000000000000000000000000000000000400';
const GAS = '0xb71b00';

/** A function that fails, its arguments, and the reason in the log. */
const FAILURES: readonly (readonly [name: string, args: readonly unknown[], reason: string])[] = [
  ['check', [0n], 'assert(false) (0x01)'],
  ['overflow', [9n], 'arithmetic underflow or overflow (0x11)'],
  ['add', [9], 'arithmetic underflow or overflow (0x11)'],
  ['multiply', [2n ** 200n], 'arithmetic underflow or overflow (0x11)'],
  ['divide', [0n], 'division or modulo by zero (0x12)'],
  ['modulo', [0n], 'division or modulo by zero (0x12)'],
  ['convert', [9n], 'enum overflow (0x21)'],
  ['read', [], 'invalid encoded storage byte array accessed (0x22)'],
  ['pop', [], 'out-of-bounds array access; popping on an empty array (0x31)'],
  ['index', [9n], 'out-of-bounds access of an array or bytesN (0x32)'],
  ['indexMemory', [9n], 'out-of-bounds access of an array or bytesN (0x32)'],
  ['indexCalldata', [[1n], 9n], 'out-of-bounds access of an array or bytesN (0x32)'],
  ['allocate', [2n ** 70n], 'out of memory (0x41)'],
  ['callNothing', [1n], 'uninitialized function (0x51)'],
  ['inLibrary', [0n], 'division or modulo by zero (0x12)'],
  ['nested', [0n], 'division or modulo by zero (0x12)'],
  ['demand', [1n], 'too small'],
  ['refuse', [1n], 'TooSmall(x=1)'],
  ['passOn', [1n], 'too small'],
];

let folder: string;
let node: Program;
const contracts = new Map<string, PanicContract>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-panics-'));
  for (const build of BUILDS) {
    const contract = await compilePanics(folder, build);
    contracts.set(contract.name, contract);
  }
  node = await startProgram('--artifacts', folder, '--verbosity', '3');
}, 300_000);

afterAll(async () => {
  await node.stop();
  rmSync(folder, { recursive: true });
});

/** Returns the first new log line with a pattern, from the pattern on. */
async function lineBehind(length: number, pattern: string): Promise<string> {
  const line = new RegExp(`${pattern}.*(?=\\n)`);
  const find = (): string | undefined => line.exec(node.output().slice(length))?.[0];
  await expect.poll(find, { timeout: 60_000 }).toBeDefined();
  return find() ?? '';
}

async function deploy({ abi, bytecode }: PanicContract): Promise<Hex> {
  const data = encodeDeployData({ abi, bytecode, args: [5n] });
  const hash = await node.call<Hex>('eth_sendTransaction', { from: FROM, gas: GAS, data });
  const { contractAddress } = await node.call<{ contractAddress: Hex }>('eth_getTransactionReceipt', hash);
  return contractAddress;
}

describe.each(BUILDS)('$console, $settings', ({ console, settings }) => {
  test('behavior: the line of the statement, or no line if the compiler does not emit it', async () => {
    const contract = contracts.get(`${console}_${settings}`);
    if (contract === undefined) throw new Error('it is compiled');
    const { name, path, abi, bytecode } = contract;
    const to = await deploy(contract);
    const shown: unknown[] = [];
    const wanted: unknown[] = [];
    const see = (what: string, reason: string, line: string): void => {
      const place = ` at ${path}:${lineOf(what)}`;
      // Optimized code of the new pipeline may have lost its statement, and the optimizer merges equal ends of
      // functions that revert, but no other statement is named.
      const isMerged = settings === 'optimizedIr' || (settings === 'optimized' && what === 'refuse');
      const isUnknown = isMerged && !line.includes(' at ');
      shown.push([what, line.slice(line.indexOf('✗'))]);
      wanted.push([what, `✗ reverted: ${reason}${isUnknown ? '' : place}`]);
    };
    for (const [functionName, args, reason] of FAILURES) {
      const before = node.output().length;
      await node.response('eth_call', {
        from: FROM,
        to,
        data: encodeFunctionData({ abi, functionName, args }),
      });
      see(functionName, reason, await lineBehind(before, `${name}\\.${functionName}\\(`));
    }
    const before = node.output().length;
    await node.response('eth_call', { from: FROM, data: encodeDeployData({ abi, bytecode, args: [0n] }) });
    see('the creation', 'division or modulo by zero (0x12)', await lineBehind(before, `\\] new ${name}\\(`));
    expect(shown).toEqual(wanted);
  });

  test('behavior: the same line by a trace of the transaction', async () => {
    const contract = contracts.get(`${console}_${settings}`);
    if (contract === undefined) throw new Error('it is compiled');
    const { name, path, abi } = contract;
    const data = encodeFunctionData({ abi, functionName: 'divide', args: [0n] });
    const transaction = { from: FROM, to: await deploy(contract), gas: GAS, data };
    const before = node.output().length;
    const hash = await node.call<Hex>('eth_sendTransaction', transaction);
    const logged = await lineBehind(before, `${name}\\.divide\\(`);
    const { output } = await runProgram('trace', hash, '--url', node.url, '--artifacts', folder);
    const [traced] = new RegExp(`${name}\\.divide\\(.*(?=\\n)`).exec(output) ?? [];
    expect(traced).toBe(logged);
    if (settings !== 'optimizedIr') expect(traced).toContain(` at ${path}:${lineOf('divide')}`);
  });
});
