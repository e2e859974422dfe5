import type { BlockSummary, IncludedOperation } from '../../ledger/index.ts';
import {
  data,
  ethereumHashOf,
  type Hexadecimal,
  logsBloom,
  quantity,
  toEthereumHeader,
  toHeader,
} from '../../view/index.ts';
import {
  ethereumReceiptOf,
  includedEthereumTransaction,
  logFreeEthereumReceipt,
} from '../answers/ethereum-objects.ts';
import { includedReceipt, includedTransaction, logFreeReceipt } from '../answers/ledger-objects.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { JsonText } from '../json/json-text.ts';
import type { QueryContext } from '../method-context.ts';

/** The objects of a profile that Otterscan's methods put together. */
export interface ProfileObjects {
  readonly profile: ProfileId;
  hashOf(operation: IncludedOperation): Hexadecimal;
  transactionOf(context: QueryContext, operation: IncludedOperation): JsonText;
  receiptOf(context: QueryContext, operation: IncludedOperation): JsonText | null;
  /** The receipt as if it had no logs, in steps. */
  logFreeReceiptOf(context: QueryContext, operation: IncludedOperation): Generator<string, object | null>;
  /** All that a block object says beside its transactions, without the bloom filter of its logs, in steps. */
  headerOf(context: QueryContext, block: BlockSummary): Generator<string, object>;
  /** Units of the profile that a native unit is worth. */
  perUnit(context: QueryContext): bigint;
}

const NO_BLOOM = logsBloom([]);

export const LEDGER_OBJECTS: ProfileObjects = {
  profile: 'ledger',
  hashOf: ({ hash }) => data(hash),
  transactionOf: includedTransaction,
  receiptOf: includedReceipt,
  // biome-ignore lint/correctness/useYield: it takes no steps here.
  *logFreeReceiptOf(context, operation) {
    return logFreeReceipt(context, operation);
  },
  // biome-ignore lint/correctness/useYield: as above.
  *headerOf(_, block) {
    return toHeader(block);
  },
  perUnit: () => 1n,
};

export const ETHEREUM_OBJECTS: ProfileObjects = {
  profile: 'ethereum',
  hashOf: (operation) => data(ethereumHashOf(operation)),
  transactionOf: includedEthereumTransaction,
  receiptOf: ethereumReceiptOf,
  logFreeReceiptOf: logFreeEthereumReceipt,
  *headerOf({ ledger, ethereumIncluded }, block) {
    const gas = yield* ethereumIncluded.gasSteps(ledger, block);
    const facts = { gasUsed: gas.at(-1) ?? 0n, logsBloom: NO_BLOOM };
    return {
      ...toEthereumHeader(block, facts, ledger.rules),
      size: quantity(block.size),
      totalDifficulty: quantity(0),
      uncles: [],
    };
  },
  perUnit: ({ ledger }) => ledger.rules.weiPerUnit,
};
