import { encode, type SignedTransaction, signedTransactionCodec } from '../protocol/index.ts';
import { data, type Hexadecimal } from '../view/index.ts';

/** The bytes of a transaction as `eth_sendRawTransaction` takes them; null where there is none. */
export function rawTransaction(transaction: SignedTransaction | undefined): Hexadecimal | null {
  return transaction === undefined ? null : data(encode(signedTransactionCodec, transaction));
}

/** What the methods that give such bytes say of the difference to Ethereum. */
export const RAW_DIFFERENCES =
  'The signed native transaction, as `eth_sendRawTransaction` takes it: of several operations all have the same bytes.';
