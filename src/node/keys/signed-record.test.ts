import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toHash } from '../../protocol/index.ts';
import { SIGNED_BLOCK_BYTES_MAX, SignedRecord } from './signed-records.ts';

const CHAIN = toHash(new Uint8Array(32).fill(7));
const BLOCK = Uint8Array.of(1, 2, 3);

let folder: string;
let path: string;
const opened: SignedRecord[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-signed-'));
  path = join(folder, 'key.signed');
});

afterEach(() => {
  for (const record of opened.splice(0)) record.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(chain = CHAIN): SignedRecord {
  const record = SignedRecord.open(path, chain);
  opened.push(record);
  return record;
}

test('default: the newest block that was signed, also when it is opened again', () => {
  const record = open();
  expect([record.last, record.block()]).toEqual([0, undefined]);
  for (const number of [3, 6, 9]) record.write(number, Uint8Array.of(number, ...BLOCK));
  for (const each of [record, open()])
    expect([each.last, each.block()]).toEqual([9, Uint8Array.of(9, 1, 2, 3)]);
});

test('args: a shorter block that replaces a longer one, and a number without a block', () => {
  const record = open();
  for (const length of [500, 400, 3, 2]) record.write(length, new Uint8Array(length).fill(1));
  expect(open().block()).toEqual(Uint8Array.of(1, 1));
  record.write(1, new Uint8Array());
  expect([open().last, open().block()]).toEqual([1, undefined]);
});

test.runIf(process.platform !== 'win32')('behavior: only the owner has access to the record', () => {
  open();
  for (const file of ['-1', '-2']) expect(statSync(`${path}${file}`).mode & 0o777).toBe(0o600);
});

test('behavior: of a write that was cut off anywhere, the block before or the new one is left', () => {
  const record = open();
  record.write(4, Uint8Array.of(4));
  const before = readFileSync(`${path}-1`);
  record.write(5, Uint8Array.of(5, 5));
  const after = readFileSync(`${path}-1`);
  expect(after).not.toEqual(before);
  fc.assert(
    fc.property(fc.nat(after.length), (cut) => {
      writeFileSync(`${path}-1`, Buffer.concat([after.subarray(0, cut), before.subarray(cut)]));
      const left = open();
      expect([
        [4, Uint8Array.of(4)],
        [5, Uint8Array.of(5, 5)],
      ]).toContainEqual([left.last, left.block()]);
    }),
  );
});

describe('failures', () => {
  test('error: both files are damaged', () => {
    const record = open();
    record.write(1, BLOCK);
    record.write(2, BLOCK);
    for (const file of ['-1', '-2']) writeFileSync(`${path}${file}`, 'LDGSIGN1 and more');
    expect(() => open()).toThrow(
      `the record of signed blocks is damaged in both of its files, ${path}-1 and`,
    );
  });

  test('error: the record of another chain', () => {
    open().write(1, BLOCK);
    expect(() => open(toHash(new Uint8Array(32)))).toThrow(/is that of the chain 0707.*: create a new key/);
  });

  test.runIf(process.platform !== 'win32')('error: others may write to it', () => {
    open();
    chmodSync(`${path}-2`, 0o620);
    expect(() => open()).toThrow(
      `${path}-2 cannot be used: users other than its owner can write to it: chmod 600`,
    );
  });

  test('error: no folder', () => {
    rmSync(folder, { recursive: true });
    expect(() => open()).toThrow(`the record of signed blocks ${path}-1 cannot be opened`);
  });

  test.runIf(process.platform === 'linux')('error: something that is no file', () => {
    symlinkSync('/dev/full', `${path}-2`);
    expect(() => open()).toThrow(
      `the record of signed blocks ${path}-2 cannot be used: it is not a regular file`,
    );
  });

  test('error: a block that is too large leaves the record unchanged', () => {
    const record = open();
    record.write(1, BLOCK);
    expect(() => record.write(2, new Uint8Array(SIGNED_BLOCK_BYTES_MAX + 1))).toThrow('cannot be signed');
    expect([record.last, record.block()]).toEqual([1, BLOCK]);
  });
});
