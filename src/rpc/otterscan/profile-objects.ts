import type { BlockSummary, IncludedOperation } from '../../ledger/index.ts';
import { data, ethereumHashOf, type Hexadecimal, quantity, toHeader } from '../../view/index.ts';
import {
  ethereumHeaderOf,
  ethereumReceiptOf,
  includedEthereumTransaction,
} from '../answers/ethereum-objects.ts';
import { includedReceipt, includedTransaction } from '../answers/ledger-objects.ts';
import type { QueryContext } from '../context/method-context.ts';
import type { Profile } from '../context/profile.ts';
import type { JsonText } from '../json/json-text.ts';

/** The objects of a profile that Otterscan's methods put together. */
export interface ProfileObjects {
  readonly profile: Profile;
  hashOf(operation: IncludedOperation): Hexadecimal;
  transactionOf(context: QueryContext, operation: IncludedOperation): JsonText;
  receiptOf(context: QueryContext, operation: IncludedOperation): JsonText | null;
  /** All that a block object says beside its transactions. */
  headerOf(context: QueryContext, block: BlockSummary): object;
  /** Units of the profile that a native unit is worth. */
  perUnit(context: QueryContext): bigint;
}

export const LEDGER_OBJECTS: ProfileObjects = {
  profile: 'ledger',
  hashOf: ({ hash }) => data(hash),
  transactionOf: includedTransaction,
  receiptOf: includedReceipt,
  headerOf: (_, block) => toHeader(block),
  perUnit: () => 1n,
};

export const ETHEREUM_OBJECTS: ProfileObjects = {
  profile: 'ethereum',
  hashOf: (operation) => data(ethereumHashOf(operation)),
  transactionOf: includedEthereumTransaction,
  receiptOf: ethereumReceiptOf,
  headerOf: (context, block) => ({
    ...ethereumHeaderOf(context, block),
    size: quantity(block.size),
    totalDifficulty: quantity(0),
    uncles: [],
  }),
  perUnit: ({ ledger }) => ledger.rules.weiPerUnit,
};
