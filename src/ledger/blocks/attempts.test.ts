import { beforeEach, describe, expect, test } from 'vitest';
import { type Block, blockCodec, decode, encode, type PublicKey } from '../../protocol/index.ts';
import { BlockRejectedError, SignedBeforeError } from '../errors/chain-errors.ts';
import type { Genesis } from '../genesis/genesis.ts';
import type { Ledger, SignedBlocks } from '../index.ts';
import {
  accountAt,
  GENESIS_TIME,
  keyAt,
  openTestLedger,
  PRODUCER_KEY,
  sign,
  testGenesis,
  transfer,
  transported,
} from '../ledger.testing.ts';

const ALL_TIME = Number.POSITIVE_INFINITY;
const KEYS = [PRODUCER_KEY, keyAt(0), keyAt(1)] as const;

/** Three producers of blocks of 1.5 s. Block 1 is scheduled for account 0, then account 1, then the test producer. */
const shared = (): Genesis => ({
  ...testGenesis(),
  producers: [accountAt(-1), accountAt(0), accountAt(1)],
  blockInterval: 1.5,
});

/** Records in memory. */
class Records implements SignedBlocks {
  readonly #records = new Map<string, { number: number; block: Uint8Array }>();

  last(key: PublicKey): number {
    return this.#records.get(String(key))?.number ?? 0;
  }

  block(key: PublicKey): Uint8Array | undefined {
    return this.#records.get(String(key))?.block;
  }

  record(key: PublicKey, number: number, block: Uint8Array): void {
    this.#records.set(String(key), { number, block });
  }
}

/** Opens a ledger of the shared chain with the keys of these indices, and returns it with its clock. */
async function open(...held: readonly (0 | 1 | 2)[]) {
  const signed = new Records();
  const keys = held.map((index) => KEYS[index]);
  return { signed, ...(await openTestLedger({ genesis: shared(), keys, signed, mining: 'scheduled' })) };
}

function mine(ledger: Ledger, attempt: number, timestamp?: number): Block {
  const steps = ledger.miner.beginBlock(ALL_TIME, { attempt, timestamp }, 'log');
  steps.make(ALL_TIME);
  void steps.sign();
  return transported(ledger, steps.store(ALL_TIME).number);
}

/** Makes and signs a block, and discards it before it is ordered. */
function signAndDiscard(ledger: Ledger, attempt = 0): Block {
  const steps = ledger.miner.beginBlock(ALL_TIME, { attempt }, 'log');
  steps.make(ALL_TIME);
  void steps.sign();
  const { bytes } = steps.serialized();
  steps.discard('there is no answer');
  return decode(blockCodec, bytes);
}

describe('attempts', () => {
  test('default: the next producer makes a late block, and every node accepts it', async () => {
    const [first, last, other] = [await open(1), await open(0), await open()];
    expect([first.ledger.miner.keys.nextAttempts(), last.ledger.miner.keys.nextAttempts()]).toEqual([
      [0],
      [2],
    ]);
    last.clock.time += 5;
    const block = mine(last.ledger, 2);
    expect(block).toMatchObject({ attempt: 2, account: accountAt(-1), timestamp: GENESIS_TIME + 5 });
    for (const { ledger } of [first, other]) {
      ledger.chain.importBlock(block);
      expect(ledger.blocks.head()).toEqual(last.ledger.blocks.head());
    }
    // Account 1 is scheduled for block 2.
    expect([first.ledger.miner.keys.nextAttempts(), last.ledger.miner.keys.nextAttempts()]).toEqual([
      [2],
      [1],
    ]);
  });

  test.each([
    [1, 3, 2],
    [2, 5, 4],
  ])('error: attempt %i before %i s', async (attempt, seconds, passed) => {
    const { ledger, clock } = await open(0, 2);
    const timestamp = GENESIS_TIME + passed;
    clock.time += 100;
    expect(() => ledger.miner.beginBlock(ALL_TIME, { attempt, timestamp })).toThrow(
      `attempt: it is ${attempt} after ${passed} s, and may be that after ${seconds} s at the earliest`,
    );
    const block = mine(ledger, attempt, timestamp + 1);
    const other = await open();
    expect(() => other.ledger.chain.importBlock({ ...block, timestamp })).toThrow(BlockRejectedError);
    expect(() => other.ledger.chain.importBlock({ ...block, attempt: 0 })).toThrow('account');
    expect(() => other.ledger.chain.checkNextHeader({ ...block, attempt: attempt + 3 })).toThrow(
      'rejected: attempt: it is',
    );
    expect(other.ledger.chain.importBlock(block).number).toBe(1);
  });

  test('error: an attempt scheduled for the key of another node', async () => {
    const { ledger } = await open(0);
    expect(() => ledger.miner.beginBlock(ALL_TIME, { attempt: 1 })).toThrow('the scheduled producer');
  });
});

describe('signed blocks', () => {
  let node: Awaited<ReturnType<typeof open>>;

  beforeEach(async () => {
    node = await open(0, 1, 2);
  });

  test('default: a signed block that is not ordered is repeated unchanged in every attempt', async () => {
    const { ledger, clock } = node;
    const signed = signAndDiscard(ledger);
    clock.time += 10;
    ledger.pool.submit(sign(ledger, [transfer(3, accountAt(1), 1n)], [keyAt(3)]));
    for (const attempt of [0, 1, 2]) {
      expect(ledger.miner.keys.signedBefore(attempt)).toEqual({ kind: 'next', block: signed });
      expect(signAndDiscard(ledger, attempt)).toEqual(signed);
    }
    expect([mine(ledger, 1), ledger.pool.pendingCount]).toEqual([signed, 1]);
    expect(ledger.miner.keys.signedBefore()).toEqual({ kind: 'nothing' });
  });

  test('behavior: a block that lost its number to another is discarded, and the same key signs the next', async () => {
    const [{ ledger, clock }, other] = [node, await open(2)];
    const lost = signAndDiscard(ledger);
    other.clock.time += 3;
    ledger.chain.importBlock(mine(other.ledger, 1));
    expect(ledger.blocks.head().id).not.toEqual(lost.previous);
    expect(ledger.miner.keys.signedBefore()).toEqual({ kind: 'nothing' });
    clock.time += 100;
    // Attempt 2 of block 2 is scheduled for the key of the lost block.
    expect(mine(ledger, 2)).toMatchObject({ round: 2n, account: accountAt(0) });
  });

  test('behavior: with one producer a block that lost its number never prevents the next one', async () => {
    const genesis = testGenesis();
    const options = { genesis, mining: 'scheduled' } as const;
    const [here, copy] = [
      await openTestLedger({ ...options, signed: new Records() }),
      await openTestLedger(options),
    ];
    signAndDiscard(here.ledger);
    copy.clock.time += 1;
    here.ledger.chain.importBlock(mine(copy.ledger, 0));
    expect(mine(here.ledger, 0).round).toBe(2n);
  });

  test('error: a key with missing signed blocks cannot produce, and another key can', async () => {
    const { ledger, signed, clock } = node;
    signed.record(keyAt(0).publicKey, 2, encode(blockCodec, signAndDiscard((await open(1)).ledger)));
    expect(ledger.miner.keys.signedBefore()).toEqual({ kind: 'missing', last: 2 });
    expect(() => ledger.miner.beginBlock(ALL_TIME)).toThrow(SignedBeforeError);
    clock.time += 3;
    expect(mine(ledger, 1).attempt).toBe(1);
  });
});

test('behavior: an imported block supersedes a block that a log orders', async () => {
  const { ledger, clock } = await open(1);
  const other = await open(2);
  other.clock.time = clock.time + 3;
  const steps = ledger.miner.beginBlock(ALL_TIME, {}, 'log');
  steps.make(ALL_TIME);
  void steps.sign();
  ledger.chain.importBlock(mine(other.ledger, 1));
  expect(steps.isOver).toBe(true);
  expect(() => steps.store(ALL_TIME)).toThrow('another block comes first');
  expect(ledger.blocks.head().header.attempt).toBe(1);
});

test('behavior: a node without keys accepts transactions, and makes no blocks', async () => {
  const { ledger } = await open();
  const notified: unknown[] = [];
  ledger.pool.onPending((waiting) => notified.push(waiting));
  const transaction = sign(ledger, [transfer(3, accountAt(1), 1n)], [keyAt(3)]);
  ledger.pool.submit(transaction);
  expect([notified, ledger.pool.pendingTransactions(), ledger.pool.isPending(transaction)]).toEqual([
    [transaction],
    [transaction],
    true,
  ]);
  expect([ledger.miner.isMining(), ledger.miner.keys.nextAttempts()]).toEqual([false, []]);
});
