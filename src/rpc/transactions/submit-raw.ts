import { ethereumEnvelope, submitEthereum } from '../../ledger/index.ts';
import {
  DecodeError,
  decode,
  ethereumTransactionKind,
  FormatError,
  type Hash,
  signedTransactionCodec,
} from '../../protocol/index.ts';
import { RequestFailedError } from '../errors.ts';
import type { MethodContext } from '../method-context.ts';

/**
 * Submits the bytes of a signed Ethereum transaction.
 *
 * @returns its hash
 * @throws RefusedError, and RequestFailedError for a native transaction
 */
export function submitRaw(context: MethodContext, bytes: Uint8Array): Hash {
  refuseNative(bytes);
  return submitEthereum(context.ledger, bytes, { allowUnprotected: context.allowUnprotected === true });
}

/**
 * Checks the form of a signed Ethereum transaction, which another node takes.
 *
 * @throws RefusedError, and RequestFailedError for a native transaction
 */
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
