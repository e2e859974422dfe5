import {
  type Address,
  type EthereumTransactionFields,
  type Hash,
  impersonatedSignature,
  invariant,
  keccak256,
  type SignedTransaction,
  serializeEthereumTransaction,
} from '../protocol/index.ts';
import { refuse } from './errors/refusal.ts';
import type { Ledger } from './ledger.ts';
import { carriedIn, ethereumEnvelope } from './transactions/ethereum-envelope.ts';

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
  ledger: Pick<Ledger, 'pool' | 'parameters'>,
  raw: Uint8Array,
  options: SubmitEthereumOptions,
): Hash {
  if (!ledger.parameters.knowsEthereum) refuse({ code: 'noEthereum' });
  const transaction = ethereumEnvelope(raw);
  requireProtected(transaction, options);
  const carried = carriedIn(transaction);
  invariant(carried !== undefined, 'an envelope carries a transaction');
  ledger.pool.submit(transaction);
  return carried.hash;
}

/**
 * Accepts a transaction of a sender that did not sign it: only the node itself makes such, for impersonated
 * addresses of a test chain.
 *
 * @returns its hash
 * @throws FormatError for a number that has no place in its field, and what `Ledger.pool.submit` throws
 */
export function submitImpersonated(
  ledger: Pick<Ledger, 'pool'>,
  fields: EthereumTransactionFields,
  sender: Address,
): Hash {
  const raw = serializeEthereumTransaction(fields, impersonatedSignature(sender));
  ledger.pool.submit(ethereumEnvelope(raw, sender), 'node');
  return keccak256(raw);
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
