import type { Ledger } from '../../ledger/index.ts';
import { type Placed, refusal } from '../parameters/schema.ts';

/** @throws InvalidParametersError where the chain has not so many blocks that it could lose */
export function requireDepth({ value: depth, place }: Placed<number>, ledger: Pick<Ledger, 'head'>): void {
  const { number } = ledger.head();
  if (depth <= number) return;
  throw refusal(place, `expected at most ${number}, the number of the latest block, got ${depth}`);
}
