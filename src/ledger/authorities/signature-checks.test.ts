import { beforeEach, expect, test, vi } from 'vitest';
import { sha256, toSignature, verifySignature } from '../../protocol/index.ts';
import type { DroppedTransaction } from '../index.ts';
import {
  accountAt,
  core,
  keyAt,
  keyOf,
  openTestLedger,
  sign,
  transfer,
  transported,
} from '../ledger.testing.ts';
import type { LedgerOptions } from '../ledger.ts';
import { SIGNATURE_CACHE_ENTRIES_MAX, type SignatureCheck, SignatureChecks } from './signature-checks.ts';

vi.mock('../../protocol/keys/keys.ts', async (original) => {
  const keys = await original<typeof import('../../protocol/keys/keys.ts')>();
  return { ...keys, verifySignature: vi.fn(keys.verifySignature) };
});

const verify = vi.mocked(verifySignature);
beforeEach(() => {
  verify.mockClear();
});

async function open(options: Partial<LedgerOptions> = {}) {
  return (await openTestLedger({ mining: 'manual', ...options })).ledger;
}

test('default: a signature is computed once for pool, blocks and blocks from elsewhere', async () => {
  const [ledger, replica] = [await open(), await open()];
  const first = sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]);
  const second = sign(
    ledger,
    [transfer(1, accountAt(2), 1n), transfer(2, accountAt(3), 1n)],
    [keyAt(1), keyAt(2)],
  );
  ledger.pool.submit(first);
  ledger.pool.submit(second);
  const checks = verify.mock.calls.length;
  // The first needs one check. The second needs one or two for each signature, because its signers have no order.
  expect(checks).toBeGreaterThanOrEqual(3);
  expect(checks).toBeLessThanOrEqual(4);
  ledger.pool.submitInOwnBlock(sign(ledger, [transfer(3, accountAt(0), 1n)], [keyAt(3)]));
  expect(verify.mock.calls.length).toBe(checks + 1);
  ledger.miner.mine();
  expect(ledger.blocks.head()).toMatchObject({ number: 2, operationCount: 3 });
  expect(verify.mock.calls.length).toBe(checks + 1);
  // Ledgers of one process share no outcomes.
  verify.mockClear();
  replica.pool.submit(first);
  replica.pool.submit(second);
  expect(verify.mock.calls.length).toBe(checks);
  replica.chain.importBlock(transported(ledger, 1));
  replica.chain.importBlock(transported(ledger, 2));
  // The signatures of the two headers are new, and so is that of the unknown transaction.
  expect(verify.mock.calls.length).toBe(checks + 3);
});

test('behavior: a cached outcome of one key does not decide the authority', async () => {
  const ledger = await open();
  const dropped: DroppedTransaction[] = [];
  ledger.pool.onDropped((drop) => dropped.push(drop));
  ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
  const next = { weightThreshold: 1, accountAuths: [], keyAuths: [[keyOf('next').publicKey, 1]] } as const;
  const update = { type: 'accountUpdate', fee: core(20n), account: accountAt(0), active: next } as const;
  ledger.pool.submitInOwnBlock(sign(ledger, [update], [keyAt(0)]));
  expect(dropped.map(({ error }) => error.reason.code)).toEqual(['wrongSignature']);
  expect(ledger.miner.mine().operationCount).toBe(0);
});

test('behavior: signatures made by the ledger are not verified again, altered transactions are', async () => {
  const ledger = await open();
  const head = ledger.blocks.head();
  const expiration = head.header.timestamp + 60;
  const own = ledger.pool.signatures.sign(transfer(0, accountAt(1), 1n), keyAt(0), head, expiration);
  ledger.pool.submit(own);
  expect(ledger.miner.mine().operationCount).toBe(1);
  expect(verify).not.toHaveBeenCalled();
  const other = ledger.pool.signatures.sign(transfer(0, accountAt(1), 3n), keyAt(0), head, expiration);
  expect(() => ledger.pool.submit({ ...other, operations: [transfer(0, accountAt(1), 4n)] })).toThrow(
    'wrong key',
  );
  const foreign = ledger.pool.signatures.sign(transfer(0, accountAt(1), 5n), keyAt(1), head, expiration);
  expect(() => ledger.pool.submit(foreign)).toThrow('wrong key');
  expect(verify).toHaveBeenCalledTimes(2);
});

test('error: a known signature under an altered transaction', async () => {
  const ledger = await open();
  const right = sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]);
  ledger.pool.submit(right);
  const altered = { ...right, operations: [transfer(0, accountAt(1), 2n)] };
  expect(() => ledger.pool.submit(altered)).toThrow('wrong key, altered transaction or another chain');
  expect(() => ledger.pool.submit(altered)).toThrow('wrong key, altered transaction or another chain');
});

test('behavior: signatures of the next block are queued for other threads while a block is imported', async () => {
  const source = await open();
  for (const amount of [1n, 2n]) {
    source.pool.submit(sign(source, [transfer(0, accountAt(1), amount)], [keyAt(0)]));
    source.miner.mine();
  }
  const [block, next] = [transported(source, 1), transported(source, 2)];
  const queued: SignatureCheck[] = [];
  const queue = (check: SignatureCheck) => {
    queued.push(check);
    return { take: () => undefined };
  };
  const replica = await open({ signatureThreads: { queue } });
  const importing = replica.chain.beginImport(block, () => next);
  while (!importing.make(Number.POSITIVE_INFINITY));
  importing.store(Number.POSITIVE_INFINITY);
  const [transaction] = next.transactions;
  const { signatures } = transaction ?? { signatures: [] };
  expect(queued).toMatchObject([{ kind: 'verify', signature: signatures[0] }]);
  replica.chain.importBlock(next);
  expect(replica.blocks.head().id).toEqual(source.blocks.head().id);
});

test('behavior: the oldest outcomes are evicted', () => {
  const signature = toSignature(new Uint8Array(64));
  const { publicKey } = keyAt(0);
  const checks = new SignatureChecks();
  const check = (index: number) =>
    checks.isSignedBy(publicKey, sha256(Buffer.from(`digest ${index}`)), signature);
  verify.mockReturnValue(false);
  check(0);
  check(0);
  expect(verify.mock.calls.length).toBe(1);
  for (let index = 1; index <= SIGNATURE_CACHE_ENTRIES_MAX; index += 1) check(index);
  check(SIGNATURE_CACHE_ENTRIES_MAX);
  expect(verify.mock.calls.length).toBe(1 + SIGNATURE_CACHE_ENTRIES_MAX);
  check(0);
  expect(verify.mock.calls.length).toBe(2 + SIGNATURE_CACHE_ENTRIES_MAX);
});
