import type { MethodDefinition } from '../method.ts';
import type { ProfileObjects } from '../otterscan/profile-objects.ts';
import { getApiLevel } from './ots/getApiLevel.ts';
import { getBlockDetails, getBlockDetailsByHash } from './ots/getBlockDetails.ts';
import { getBlockTransactions } from './ots/getBlockTransactions.ts';
import { getContractCreator } from './ots/getContractCreator.ts';
import { getInternalOperations } from './ots/getInternalOperations.ts';
import { getTransactionHashBySenderAndNonce } from './ots/getTransactionBySenderAndNonce.ts';
import { getTransactionError } from './ots/getTransactionError.ts';
import { hasCode } from './ots/hasCode.ts';
import { searchTransactionsAfter, searchTransactionsBefore } from './ots/searchTransactions.ts';
import { traceEnteredCalls } from './ots/traceTransaction.ts';

/** The methods of the explorer Otterscan, in the shapes of a profile. */
export function otterscanMethods(objects: ProfileObjects): readonly MethodDefinition[] {
  return [
    ...[getApiLevel, hasCode(objects), getTransactionError, traceEnteredCalls, getInternalOperations],
    ...[getBlockDetails(objects), getBlockDetailsByHash(objects), getBlockTransactions(objects)],
    ...[searchTransactionsBefore(objects), searchTransactionsAfter(objects)],
    ...[getTransactionHashBySenderAndNonce(objects), getContractCreator(objects)],
  ];
}
