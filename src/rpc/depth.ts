import type { Ledger } from '../ledger/index.ts';
import { InvalidParametersError } from './errors.ts';

/** @throws InvalidParametersError where the chain has not so many blocks that it could lose */
export function requireDepth(depth: number, ledger: Pick<Ledger, 'head'>): void {
  const { number } = ledger.head();
  if (depth <= number) return;
  throw new InvalidParametersError(
    `invalid parameter 1 (depth): expected at most ${number}, the number of the latest block, got ${depth}`,
  );
}
