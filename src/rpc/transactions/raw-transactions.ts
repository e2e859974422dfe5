import { TRANSACTION_BYTES_MAX } from '../../consensus.ts';
import type { LedgerQueries } from '../../ledger/index.ts';
import {
  DecodeError,
  decodeSigned,
  ethereumTransactionKind,
  FormatError,
  type Hexadecimal,
  type SignedTransaction,
  signedBytes,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { LimitError } from '../errors.ts';
import { refusal, type WithPath } from '../parameters/schema.ts';

/** Returns the bytes of a transaction, as `eth_sendRawTransaction` expects them; null for undefined. */
export function rawTransaction(transaction: SignedTransaction | undefined): Hexadecimal | null {
  return transaction === undefined ? null : toPrefixedHex(signedBytes(transaction));
}

/** Difference from Ethereum of the methods that return `rawTransaction`. */
export const RAW_DIFFERENCES =
  'The signed native transaction, as `eth_sendRawTransaction` expects it; the same for all of its operations.';

/** Decoded transactions by their bytes: one that is queued is decoded before it is submitted. */
const decoded = new WeakMap<Uint8Array, SignedTransaction>();

/**
 * Decodes the bytes of a signed transaction.
 *
 * @throws LimitError for too many bytes, InvalidParametersError with the malformed field and its position
 */
export function decodeTransaction(
  { value: bytes, path }: WithPath<Uint8Array>,
  parameters: Pick<LedgerQueries['parameters'], 'knowsEthereum'>,
): SignedTransaction {
  if (bytes.length > TRANSACTION_BYTES_MAX) {
    throw new LimitError(
      `the transaction has ${bytes.length} bytes, more than the limit of ${TRANSACTION_BYTES_MAX}`,
    );
  }
  const known = decoded.get(bytes);
  if (known !== undefined) return known;
  try {
    const transaction = decodeSigned(bytes);
    decoded.set(bytes, transaction);
    return transaction;
  } catch (cause) {
    if (!(cause instanceof DecodeError || cause instanceof FormatError)) throw cause;
    const kind = ethereumTransactionKind(bytes);
    throw refusal(path, kind === undefined ? cause.message : ethereumRefusal(kind, parameters), cause);
  }
}

function ethereumRefusal(
  kind: string,
  { knowsEthereum }: Pick<LedgerQueries['parameters'], 'knowsEthereum'>,
): string {
  const problem = `this is an Ethereum transaction (${kind}), and`;
  if (knowsEthereum) return `${problem} / accepts native transactions: send it to /ethereum of this node`;
  return (
    `${problem} this ledger takes native ones: let the node sign it (eth_sendTransaction, in test mode), ` +
    'or sign a native transaction (ledger_getChain returns its chain)'
  );
}
