import { TRANSACTION_BYTES_MAX } from '../../consensus.ts';
import { ethereumEnvelope, type LedgerQueries, submitEthereum } from '../../ledger/index.ts';
import {
  DecodeError,
  decode,
  encode,
  ethereumTransactionKind,
  FormatError,
  type Hash,
  type SignedTransaction,
  signedTransactionCodec,
} from '../../protocol/index.ts';
import { data, type Hexadecimal } from '../../view/index.ts';
import { LimitError, RequestFailedError } from '../errors.ts';
import type { MethodContext } from '../method-context.ts';
import { type Placed, refusal } from '../parameters/schema.ts';

/** Returns the bytes of a transaction as `eth_sendRawTransaction` takes them; null for none. */
export function rawTransaction(transaction: SignedTransaction | undefined): Hexadecimal | null {
  return transaction === undefined ? null : data(encode(signedTransactionCodec, transaction));
}

/** Difference from Ethereum of the methods that return such bytes. */
export const RAW_DIFFERENCES =
  'The signed native transaction, as `eth_sendRawTransaction` takes it: of several operations all have the same bytes.';

/**
 * Reads the bytes of a signed transaction.
 *
 * @throws LimitError for too many bytes, InvalidParametersError that names the wrong field
 */
export function decodeTransaction(
  { value: bytes, place }: Placed<Uint8Array>,
  ledger: Pick<LedgerQueries, 'knowsEthereum'>,
): SignedTransaction {
  if (bytes.length > TRANSACTION_BYTES_MAX) {
    throw new LimitError(
      `the transaction has ${bytes.length} bytes, more than the limit of ${TRANSACTION_BYTES_MAX}`,
    );
  }
  try {
    return decode(signedTransactionCodec, bytes, 'transaction');
  } catch (cause) {
    if (!(cause instanceof DecodeError || cause instanceof FormatError)) throw cause;
    const kind = ethereumTransactionKind(bytes);
    throw refusal(place, kind === undefined ? cause.message : ethereumRefusal(kind, ledger), cause);
  }
}

function ethereumRefusal(kind: string, { knowsEthereum }: Pick<LedgerQueries, 'knowsEthereum'>): string {
  if (knowsEthereum) {
    return `this is an Ethereum transaction (${kind}), and / takes native ones: send it to /ethereum of this node`;
  }
  return (
    `this is an Ethereum transaction (${kind}), and this ledger takes native ` +
    'ones: let the node sign it (eth_sendTransaction, in test mode), or sign a native transaction (ledger_getChain ' +
    'says for which chain)'
  );
}

/**
 * Submits the bytes of a signed Ethereum transaction, and returns its hash.
 *
 * @throws RefusedError, and RequestFailedError for a native transaction
 */
export function submitRaw(context: MethodContext, bytes: Uint8Array): Hash {
  refuseNative(bytes);
  return submitEthereum(context.ledger, bytes, { allowUnprotected: context.allowUnprotected === true });
}

/** Checks the form of a signed Ethereum transaction that is forwarded to another node; throws as `submitRaw`. */
export function checkRaw({ ledger }: Pick<MethodContext, 'ledger'>, bytes: Uint8Array): void {
  refuseNative(bytes);
  if (ledger.knowsEthereum) ethereumEnvelope(bytes);
}

function refuseNative(bytes: Uint8Array): void {
  if (ethereumTransactionKind(bytes) === undefined && isNative(bytes)) {
    throw new RequestFailedError(
      'this is a native transaction, and /ethereum takes those of Ethereum: send it to / of this node',
    );
  }
}

function isNative(bytes: Uint8Array): boolean {
  try {
    decode(signedTransactionCodec, bytes, 'transaction');
    return true;
  } catch (error) {
    if (!(error instanceof DecodeError || error instanceof FormatError)) throw error;
    return false;
  }
}
