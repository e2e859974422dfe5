import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hexToBytes } from '../../protocol/index.ts';
import { ArtifactRegistry, watchFolder } from '../index.ts';

let folder: string;
let close: () => void = () => undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-artifacts-'));
});

afterEach(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

const artifact = (contractName: string, deployedBytecode: string) =>
  JSON.stringify({ contractName, sourceName: 'a.sol', abi: [], bytecode: '0x', deployedBytecode });

test('behavior: changed files are read again, and malformed ones are reported and skipped', async () => {
  const registry = new ArtifactRegistry();
  const passedOver: string[] = [];
  const out = join(folder, 'out');
  close = watchFolder(out, registry, (path, reason) => passedOver.push(`${path}: ${reason}`));
  mkdirSync(out);
  writeFileSync(join(out, 'A.json'), artifact('A', '0x6001'));
  writeFileSync(join(out, 'half.json'), '{"abi": [');
  writeFileSync(join(out, 'wrong.json'), '{"contractName": "W", "abi": [7]}');
  writeFileSync(join(out, 'other.json'), '{"version": 1}');
  const nameOf = (code: string) => registry.ofCode(hexToBytes(code))?.name;
  await expect.poll(() => nameOf('6001')).toBe('A');
  expect(passedOver.some((line) => line.startsWith(join(out, 'half.json')))).toBe(true);
  expect(passedOver).toContain(`${join(out, 'wrong.json')}: W: abi[0]: expected an object`);
  expect(passedOver.join()).not.toContain('other.json');
  writeFileSync(join(out, 'A.json'), artifact('Again', '0x6002'));
  await expect.poll(() => nameOf('6002')).toBe('Again');
  expect(nameOf('6001')).toBeUndefined();
  rmSync(out, { recursive: true });
  await expect.poll(() => registry.size).toBe(0);
});
