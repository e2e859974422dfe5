import { expect, test } from 'vitest';
import type { BlockSummary, Genesis, Ledger } from '../ledger/index.ts';
import { type AccountId, accountId } from '../protocol/index.ts';
import { producersSeen } from './producers-seen.ts';

const [A, B, C] = [accountId(1_023), accountId(1_021), accountId(1_020)];

/** A chain of three producers, of which this node is the first. */
function open() {
  let head = 0;
  const told: { block?: (block: BlockSummary) => void; forgotten?: () => void } = {};
  const ledger = {
    blocks: { head: () => ({ number: head }) as BlockSummary },
    parameters: { genesis: { producers: [A, B, C] } as unknown as Genesis },
    chain: {
      onBlock: (listener: (block: BlockSummary) => void) => {
        told.block = listener;
        return () => undefined;
      },
    },
    history: {
      onReorg: (listener: () => void) => {
        told.forgotten = listener;
        return () => undefined;
      },
    },
  } as unknown as Ledger;
  const seen = producersSeen(ledger, [A]);
  const come = (...accounts: AccountId[]): number => {
    for (const account of accounts) {
      head += 1;
      told.block?.({ number: head, header: { account } } as BlockSummary);
    }
    return seen();
  };
  return { seen, come, told };
}

test('default: counts the other producers of the blocks in the last round', () => {
  const { seen, come } = open();
  expect(seen()).toBe(0);
  expect(come(A)).toBe(0);
  expect(come(B)).toBe(1);
  expect(come(C, A, B, C)).toBe(2);
});

test('behavior: a producer that misses its slots is no longer counted after a round', () => {
  const { come } = open();
  expect(come(A, B, C)).toBe(2);
  expect(come(A, B, A)).toBe(1);
  expect(come(A, A, A)).toBe(0);
  expect(come(C)).toBe(1);
});

test('behavior: reverted blocks no longer count', () => {
  const { seen, come, told } = open();
  come(A, B, C);
  told.forgotten?.();
  expect(seen()).toBe(0);
});
