import type { MethodDefinition } from '../method.ts';
import { getApiLevel } from '../methods/ots/getApiLevel.ts';
import { getBlockDetails, getBlockDetailsByHash } from '../methods/ots/getBlockDetails.ts';
import { getBlockTransactions } from '../methods/ots/getBlockTransactions.ts';
import { getContractCreator } from '../methods/ots/getContractCreator.ts';
import { getInternalOperations } from '../methods/ots/getInternalOperations.ts';
import { getTransactionHashBySenderAndNonce } from '../methods/ots/getTransactionBySenderAndNonce.ts';
import { getTransactionError } from '../methods/ots/getTransactionError.ts';
import { hasCode } from '../methods/ots/hasCode.ts';
import { searchTransactionsAfter, searchTransactionsBefore } from '../methods/ots/searchTransactions.ts';
import { traceEnteredCalls } from '../methods/ots/traceTransaction.ts';
import type { ProfileObjects } from './profile-objects.ts';

/** The methods of the explorer Otterscan, in the shapes of a profile. */
export function otterscanMethods(objects: ProfileObjects): readonly MethodDefinition[] {
  return [
    ...[getApiLevel, hasCode(objects), getTransactionError, traceEnteredCalls, getInternalOperations],
    ...[getBlockDetails(objects), getBlockDetailsByHash(objects), getBlockTransactions(objects)],
    ...[searchTransactionsBefore(objects), searchTransactionsAfter(objects)],
    ...[getTransactionHashBySenderAndNonce(objects), getContractCreator(objects)],
  ];
}
