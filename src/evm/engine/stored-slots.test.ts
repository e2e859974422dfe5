import { beforeEach, describe, expect, test } from 'vitest';
import { toHash } from '../../protocol/index.ts';
import { CONTRACT, createFixture, type Fixture } from '../testing/engine.testing.ts';
import { addressOf, word } from '../testing/memory-host.testing.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
});

const SLOTS = 6_000n;
const READ = '0 CALLDATALOAD SLOAD RETURN_TOP';

/** Look-ups of slots while work runs. */
function lookUps(work: () => void): number {
  const before = fixture.host.asked.storage;
  work();
  return fixture.host.asked.storage - before;
}

function read(slot: bigint): Uint8Array {
  return fixture.send({ data: word(slot) }).output;
}

describe('look-ups of slots', () => {
  test('default: one for an account without stored slots', () => {
    expect(lookUps(() => fixture.run('1 SLOAD 2 SLOAD 3 3 SSTORE 4 SLOAD'))).toBe(1);
  });

  test('default: one for each slot of an account with some', () => {
    fixture.place(CONTRACT, '1 SLOAD 2 SLOAD 1 SLOAD 3 SLOAD', { storage: { 2: 7n } });
    expect(lookUps(() => fixture.send())).toBe(3);
  });

  test('behavior: slots that a block stores are found later, without look-ups', () => {
    fixture.run('9 SLOAD 5 1 SSTORE');
    fixture.host.apply(fixture.engine.changes());
    fixture.engine.settle();
    const slots = [1n, 2n].map((slot) => fixture.engine.storageAt(CONTRACT, word(slot)));
    expect(slots).toEqual([word(5n), word(0n)]);
    expect(lookUps(() => fixture.engine.storageAt(CONTRACT, word(3n)))).toBe(0);
  });

  test('behavior: after `clear` the host is asked again', () => {
    fixture.place(CONTRACT, READ);
    expect(read(1n)).toEqual(word(0n));
    fixture.place(CONTRACT, READ, { storage: { 1: 8n } });
    expect(read(1n)).toEqual(word(8n));
  });

  test('args: a short value of the host is padded', () => {
    fixture.place(CONTRACT, READ, { storage: { 1: 0n } });
    fixture.host.storage = () => Uint8Array.of(1, 2);
    expect(read(1n)).toEqual(word(0x0102n));
    expect(read(2n)).toEqual(word(0x0102n));
  });
});

describe('the indexes', () => {
  test('behavior: find all slots and accounts while they grow, and none after `clear`', () => {
    const keys = Array.from({ length: Number(SLOTS) }, (_, index) => {
      const number = BigInt(index);
      return toHash(word(index % 2 === 0 ? number : number * 0x9e3779b97f4a7c15n ** 3n));
    });
    const storage = new Map(
      keys.map((key, index) => [Buffer.from(key).toString('hex'), word(BigInt(index + 1))]),
    );
    fixture.host.storage = (_, key) => storage.get(Buffer.from(key).toString('hex'));
    for (const round of [1, 2]) {
      for (const [index, key] of keys.entries()) {
        expect(fixture.engine.storageAt(CONTRACT, key), `${round}`).toEqual(word(BigInt(index + 1)));
        fixture.engine.credit(addressOf(BigInt(index + 1)), BigInt(index + 1));
      }
    }
    expect(fixture.engine.balanceOf(addressOf(SLOTS))).toBe(2n * SLOTS);
    fixture.engine.clear();
    storage.clear();
    expect(fixture.engine.storageAt(CONTRACT, word(2n))).toEqual(word(0n));
    expect(fixture.engine.balanceOf(addressOf(SLOTS))).toBe(0n);
  });
});
