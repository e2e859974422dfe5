import { TRANSACTION_BYTES_MAX } from '../../../limits.ts';
import {
  DecodeError,
  decode,
  FormatError,
  type SignedTransaction,
  signedTransactionCodec,
} from '../../../protocol/index.ts';
import { data } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { InvalidParametersError, LimitError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { dataSchema } from '../../schemas/bytes.ts';
import { hashResult } from '../../schemas/results.ts';

export const sendRawTransaction = defineMethod({
  name: 'eth_sendRawTransaction',
  summary: 'Sends a signed native transaction in its binary form and answers its hash.',
  section: 'blocks',
  parameters: [
    { name: 'transaction', schema: dataSchema, summary: 'A signed native transaction in its binary form.' },
  ],
  result: hashResult,
  errors: [
    ERRORS.transactionRefused,
    ERRORS.alreadyKnown,
    ERRORS.insufficientFunds,
    ERRORS.transactionLimit,
    ERRORS.pendingPoolFull,
    ERRORS.takesNoTransactions,
    ERRORS.writesPaused,
  ],
  differences:
    "Takes a signed native transaction in its binary form; Ethereum's transactions are not accepted. " +
    'Of several operations the hash of the first is answered, in its included form where the ' +
    'transaction is in a block already.',
  handler: ({ ledger }, bytes) => data(ledger.submit(decodeTransaction(bytes)).hash),
});

/** @throws LimitError for too many bytes, InvalidParametersError that says which field is wrong and where */
function decodeTransaction(bytes: Uint8Array): SignedTransaction {
  if (bytes.length > TRANSACTION_BYTES_MAX) {
    throw new LimitError(
      `the transaction has ${bytes.length} bytes, more than the limit of ${TRANSACTION_BYTES_MAX}`,
    );
  }
  try {
    return decode(signedTransactionCodec, bytes, 'transaction');
  } catch (cause) {
    if (!(cause instanceof DecodeError || cause instanceof FormatError)) throw cause;
    throw new InvalidParametersError(`invalid parameter 1 (transaction): ${cause.message}`, { cause });
  }
}
