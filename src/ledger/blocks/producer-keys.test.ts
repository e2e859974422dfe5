import { afterEach, expect, test, vi } from 'vitest';
import { blockCodec, bytesToHex, decode, encode, type PublicKey } from '../../protocol/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { SignedBeforeError } from '../errors/chain-errors.ts';
import { Ledger, type SignedBlocks } from '../index.ts';
import {
  accountAt,
  keyAt,
  PRODUCER_KEY,
  sign,
  testClock,
  testGenesis,
  transfer,
  transported,
} from '../ledger.testing.ts';

/** A record in memory. */
class Record implements SignedBlocks {
  number = 0;
  bytes: Uint8Array | undefined;
  failure: unknown;

  last(key: PublicKey): number {
    expect(bytesToHex(key)).toBe(bytesToHex(PRODUCER_KEY.publicKey));
    return this.number;
  }

  block(): Uint8Array | undefined {
    return this.bytes;
  }

  record(_key: PublicKey, number: number, block: Uint8Array): void {
    if (this.failure !== undefined) throw this.failure;
    this.number = number;
    this.bytes = block;
  }
}

const stores: Store[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

/** A ledger on a new chain. */
async function open(signed: SignedBlocks) {
  const store = openStore({ durable: false });
  stores.push(store);
  const clock = testClock();
  const ledger = await Ledger.open({
    store,
    genesis: testGenesis(),
    clock,
    keys: [PRODUCER_KEY],
    signed,
    mining: 'manual',
  });
  return { store, ledger, clock };
}

test('default: each block is on record as it is on the chain', async () => {
  const record = new Record();
  const { ledger } = await open(record);
  ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
  for (const number of [1, 2]) {
    ledger.miner.mine();
    expect([record.number, record.bytes]).toEqual([number, encode(blockCodec, transported(ledger, number))]);
  }
  expect(ledger.miner.keys.signedBefore()).toEqual({ kind: 'nothing' });
});

test('behavior: a block that was signed and not stored is stored unchanged, whatever arrived meanwhile', async () => {
  const record = new Record();
  const { store, ledger, clock } = await open(record);
  vi.spyOn(store, 'commitBlock').mockImplementationOnce(() => {
    throw new Error('no space left');
  });
  expect(() => ledger.miner.mine()).toThrow('no space left');
  const signed = decode(blockCodec, record.bytes ?? new Uint8Array());
  clock.time += 10;
  ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
  expect(ledger.miner.keys.signedBefore()).toEqual({ kind: 'next', block: signed });
  expect(ledger.miner.mine()).toMatchObject({ number: 1, operationCount: 0 });
  expect(transported(ledger, 1)).toEqual(signed);
  expect(ledger.miner.mine()).toMatchObject({ number: 2, operationCount: 1 });
});

test('error: a recorded block that is not on this chain', async () => {
  const record = new Record();
  const { ledger } = await open(record);
  ledger.miner.mine();
  for (const [number, bytes] of [
    [2, undefined],
    [2, record.bytes],
    [3, record.bytes],
  ] as const) {
    record.number = number;
    record.bytes = bytes;
    expect(ledger.miner.keys.signedBefore()).toEqual({ kind: 'missing', last: number });
    expect(() => ledger.miner.mine()).toThrow(SignedBeforeError);
    expect(() => ledger.miner.mine()).toThrow(
      `block 2 is not made: the key of 1.2.1023 has signed blocks up to ${number}`,
    );
  }
  expect(ledger.blocks.head().number).toBe(1);
});

test('error: a record that cannot be written: no block', async () => {
  const record = new Record();
  const { ledger } = await open(record);
  record.failure = new Error('the disk is full');
  expect(() => ledger.miner.mine()).toThrow('the disk is full');
  expect(ledger.blocks.head().number).toBe(0);
  record.failure = undefined;
  expect(ledger.miner.mine().number).toBe(1);
});
