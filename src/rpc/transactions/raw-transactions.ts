import { TRANSACTION_BYTES_MAX } from '../../consensus.ts';
import type { LedgerQueries } from '../../ledger/index.ts';
import {
  DecodeError,
  decodeSigned,
  type EthereumTransaction,
  ethereumTransactionKind,
  FormatError,
  type Hexadecimal,
  type SignedTransaction,
  signedBytes,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { refusal, type WithPath } from '../parameters/schema.ts';
import { LimitError } from '../rpc-errors.ts';

/** Returns the bytes of a transaction, as `eth_sendRawTransaction` expects them; null for undefined. */
export function rawTransaction(transaction: SignedTransaction | undefined): Hexadecimal | null {
  return transaction === undefined ? null : toPrefixedHex(signedBytes(transaction));
}

/** Difference from Ethereum of the methods that return `rawTransaction`. */
export const RAW_DIFFERENCES =
  'The signed native transaction, as `eth_sendRawTransaction` expects it; the same for all of its operations.';

/** The bytes of a signed transaction, with its parsed form once a step has made it. */
export interface RawTransaction extends WithPath<Uint8Array> {
  native?: SignedTransaction | undefined;
  inner?: EthereumTransaction | undefined;
}

/**
 * Decodes the bytes of a signed transaction once.
 *
 * @throws LimitError for too many bytes, InvalidParametersError with the malformed field and its position
 */
export function decodeTransaction(
  raw: RawTransaction,
  parameters: Pick<LedgerQueries['parameters'], 'knowsEthereum'>,
): SignedTransaction {
  const { value: bytes, path } = raw;
  if (bytes.length > TRANSACTION_BYTES_MAX) {
    throw new LimitError(
      `the transaction has ${bytes.length} bytes, more than the limit of ${TRANSACTION_BYTES_MAX}`,
    );
  }
  try {
    raw.native ??= decodeSigned(bytes);
    return raw.native;
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
    'sign a native transaction (ledger_getChain returns its chain), or make a chain with Ethereum (start --ethereum, ' +
    'init --ethereum)'
  );
}
