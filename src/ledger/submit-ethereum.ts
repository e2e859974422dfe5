import { type Hash, invariant, type SignedTransaction } from '../protocol/index.ts';
import { refuse } from './errors/index.ts';
import type { Ledger } from './ledger.ts';
import { carriedIn, ethereumEnvelope } from './transactions/index.ts';

/** What a node takes of what the chain allows. */
export interface SubmitEthereumOptions {
  /** Whether transactions are taken that are signed for every chain (from before EIP-155). */
  readonly allowUnprotected: boolean;
}

/**
 * Accepts a signed transaction of Ethereum's.
 *
 * @returns its hash, Keccak-256 of its bytes
 * @throws RefusedError with geth's words; nothing is changed then
 */
export function submitEthereum(
  ledger: Pick<Ledger, 'submit' | 'knowsEthereum'>,
  raw: Uint8Array,
  options: SubmitEthereumOptions,
): Hash {
  if (!ledger.knowsEthereum) refuse({ code: 'noEthereum' });
  const transaction = ethereumEnvelope(raw);
  requireProtected(transaction, options);
  const carried = carriedIn(transaction);
  invariant(carried !== undefined, 'an envelope carries a transaction');
  ledger.submit(transaction);
  return carried.hash;
}

/**
 * Refuses a transaction that carries one of Ethereum's which is signed for every chain: a node takes the same of its
 * clients in whatever form they send it. Blocks may hold such transactions, since other nodes may take them.
 *
 * @throws RefusedError with geth's words
 */
export function requireProtected(
  transaction: SignedTransaction,
  { allowUnprotected }: SubmitEthereumOptions,
): void {
  if (allowUnprotected) return;
  const carried = carriedIn(transaction);
  if (carried !== undefined && carried.chainId === undefined) refuse({ code: 'unprotectedTransaction' });
}
