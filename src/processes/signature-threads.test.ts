import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { SignatureCheck } from '../ledger/index.ts';
import {
  createKeyPair,
  numberToBytes,
  parseEthereumTransaction,
  recoverSender,
  signEthereumTransaction,
  toSeed,
  verifySignature,
} from '../protocol/index.ts';
import { SIGNATURE_CHECKS_QUEUED_MAX, SignatureTable } from './signature-table.ts';
import { SIGNATURE_CHECKS_BEFORE_THREADS, WorkerSignatureThreads } from './signature-threads.ts';

const pair = createKeyPair(toSeed(new Uint8Array(32).fill(3)));

/** A verification whose signature is of another digest where `isValid` is false. */
function verification(number: number, isValid = true) {
  const digest = numberToBytes(BigInt(number), 32);
  const signature = pair.sign(isValid ? digest : numberToBytes(BigInt(number + 1), 32));
  return { kind: 'verify', key: pair.publicKey, digest, signature } as const;
}

/** A recovery of the signer of a transaction. */
function recovery(nonce: number) {
  const raw = signEthereumTransaction(
    {
      ...{ type: 'legacy', chainId: 1n, nonce: BigInt(nonce), gasPrice: 1n, gas: 21_000n },
      ...{ to: undefined, value: 0n, data: new Uint8Array() },
    },
    new Uint8Array(32).fill(7),
  );
  const transaction = parseEthereumTransaction(raw);
  const { signingHash: digest, r, s, yParity } = transaction;
  const words = { r: numberToBytes(r, 32), s: numberToBytes(s, 32) };
  return {
    check: { kind: 'recover', digest, ...words, yParity } as const,
    sender: recoverSender(transaction),
  };
}

const failures: unknown[] = [];
let threads = new WorkerSignatureThreads((error) => failures.push(error), 1);
afterEach(async () => {
  await threads.close();
  expect(failures).toEqual([]);
  threads = new WorkerSignatureThreads((error) => failures.push(error), 1);
});

/** Queues checks that are not counted, until the threads start. */
function start(): void {
  for (let count = 1; count < SIGNATURE_CHECKS_BEFORE_THREADS; count += 1) {
    expect(threads.queue(verification(0))).toBeUndefined();
  }
}

/** Waits until a thread has begun a check, and takes its result. */
async function resultOf(check: SignatureCheck): Promise<Uint8Array> {
  for (;;) {
    const queued = threads.queue(check);
    await new Promise((resolve) => setImmediate(resolve));
    const result = queued?.take();
    if (result !== undefined) return result;
  }
}

test('default: the results of a thread are those of the libraries', async () => {
  start();
  for (let number = 0; number < 50; number += 1) {
    const valid = verification(number);
    expect((await resultOf(valid)).length > 0).toBe(
      verifySignature(valid.key, valid.digest, valid.signature),
    );
    expect(await resultOf(verification(number, false))).toHaveLength(0);
    const { check, sender } = recovery(number);
    expect(await resultOf(check)).toEqual(sender);
  }
  const { check } = recovery(1);
  expect(await resultOf({ ...check, r: new Uint8Array(32) })).toHaveLength(0);
});

test('behavior: nothing is queued after the threads were closed', async () => {
  start();
  const queued = threads.queue(verification(1));
  await threads.close();
  expect(threads.queue(verification(1))).toBeUndefined();
  expect([undefined, Uint8Array.of(1)]).toContainEqual(queued?.take());
});

test('behavior: any order of adding, running and taking gives each result once, and of its own check', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('add', 'run', 'take'), { maxLength: 60 }), (steps) => {
      const table = new SignatureTable();
      const other = new SignatureTable(table.memory);
      const waiting: { position: number; isValid: boolean }[] = [];
      let [added, begun] = [0, 0];
      for (const step of steps) {
        if (step === 'add') {
          const isValid = added % 3 !== 0;
          const position = table.add(verification(added, isValid));
          added += 1;
          if (position !== undefined) waiting.push({ position, isValid });
        } else if (step === 'run') {
          // Without a check, it would wait.
          if (begun < added) other.runNext();
          begun = Math.min(begun + 1, added);
        } else {
          const taken = waiting.shift();
          if (taken === undefined) continue;
          const result = table.take(taken.position);
          if (result !== undefined) expect(result.length > 0).toBe(taken.isValid);
          expect(table.take(taken.position)).toBeUndefined();
        }
      }
    }),
    { numRuns: 40 },
  );
});

test('error: a full table takes no more checks, and overwrites results that nobody took', () => {
  const table = new SignatureTable();
  const check = verification(1);
  const first = table.add(check);
  for (let count = 1; count < SIGNATURE_CHECKS_QUEUED_MAX; count += 1) expect(table.add(check)).toBe(count);
  expect(table.add(check)).toBeUndefined();
  table.runNext();
  const invalid = table.add(verification(2, false));
  expect(invalid).toBe(SIGNATURE_CHECKS_QUEUED_MAX);
  expect(table.take(first ?? 0)).toBeUndefined();
  for (let count = 0; count < SIGNATURE_CHECKS_QUEUED_MAX; count += 1) table.runNext();
  expect(table.take(invalid ?? 0)).toHaveLength(0);
});
