import { carriedTransaction, type Hash, invariant } from '../protocol/index.ts';
import { refuse } from './errors/index.ts';
import type { Ledger } from './ledger.ts';
import { carrierIn, ethereumEnvelope } from './transactions/index.ts';

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
  { allowUnprotected }: SubmitEthereumOptions,
): Hash {
  if (!ledger.knowsEthereum) refuse({ code: 'noEthereum' });
  const transaction = ethereumEnvelope(raw);
  const carrier = carrierIn(transaction);
  invariant(carrier !== undefined, 'an envelope carries a transaction');
  const { chainId, hash } = carriedTransaction(carrier);
  if (chainId === undefined && !allowUnprotected) refuse({ code: 'unprotectedTransaction' });
  ledger.submit(transaction);
  return hash;
}
