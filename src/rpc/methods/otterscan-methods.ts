import type { MethodDefinition } from '../method.ts';
import type { Profile } from '../profiles/profile.ts';
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
export function otterscanMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...[getApiLevel, hasCode(profile), getTransactionError, traceEnteredCalls, getInternalOperations],
    ...[getBlockDetails(profile), getBlockDetailsByHash(profile), getBlockTransactions(profile)],
    ...[searchTransactionsBefore(profile), searchTransactionsAfter(profile)],
    ...[getTransactionHashBySenderAndNonce(profile), getContractCreator(profile)],
  ];
}
