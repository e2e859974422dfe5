import { expect, test } from 'vitest';
import { LimitError } from '../../rpc/index.ts';
import {
  DECODED_BYTES_FACTOR,
  DUMP_BYTES_MAX,
  DUMP_GENESIS_BYTES_MAX,
  DUMP_INFLATED_BYTES_MAX,
  dumpGuard,
} from './chain-dumps.ts';

const ignore = (): void => undefined;

test('default: counts the bytes held at one time, and not those already released', () => {
  const held: number[] = [];
  const guard = dumpGuard((bytes) => held.push(bytes));
  guard.beforeGenesis(10);
  guard.beforePayload(1_000);
  guard.beforeRecord(200);
  guard.beforeRecord(300);
  guard.beforePayload(7);
  expect(held).toEqual([
    10 * DECODED_BYTES_FACTOR,
    2_000,
    2_000 + 200 * DECODED_BYTES_FACTOR,
    2_000 + 300 * DECODED_BYTES_FACTOR,
    14,
  ]);
});

test('error: blocks and patches that are too many together', () => {
  const guard = dumpGuard(ignore);
  guard.beforeRecord(DUMP_INFLATED_BYTES_MAX - 1);
  guard.beforePayload(1);
  guard.beforeRecord(1);
  expect(() => guard.beforeRecord(1)).toThrow(
    new LimitError('a dump has at most 268435456 bytes of blocks and patches: "ledgerd import" takes more'),
  );
});

test('error: a genesis and a chunk that are too long', () => {
  const { beforeGenesis, beforePayload } = dumpGuard(ignore);
  beforeGenesis(DUMP_GENESIS_BYTES_MAX);
  expect(() => beforeGenesis(DUMP_GENESIS_BYTES_MAX + 1)).toThrow('at most 4194304 bytes of its genesis');
  beforePayload(DUMP_BYTES_MAX);
  expect(() => beforePayload(DUMP_BYTES_MAX + 1)).toThrow('a dump has at most 67108864 bytes');
});
