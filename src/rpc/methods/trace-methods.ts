import type { MethodDefinition } from '../method.ts';
import type { Profile } from '../profiles/profile.ts';
import { accountInfoAt } from './debug/accountInfoAt.ts';
import { codeByHash } from './debug/codeByHash.ts';
import { getModifiedAccountsByHash } from './debug/getModifiedAccountsByHash.ts';
import { getModifiedAccountsByNumber } from './debug/getModifiedAccountsByNumber.ts';
import { getRawBlock } from './debug/getRawBlock.ts';
import { getRawHeader } from './debug/getRawHeader.ts';
import { getRawReceipts } from './debug/getRawReceipts.ts';
import { getRawTransaction } from './debug/getRawTransaction.ts';
import { storageRangeAt } from './debug/storageRangeAt.ts';
import { traceBlockByHash } from './debug/traceBlockByHash.ts';
import { traceBlockByNumber } from './debug/traceBlockByNumber.ts';
import { traceCall } from './debug/traceCall.ts';
import { traceTransaction } from './debug/traceTransaction.ts';
import { traceCallsOfBlock } from './trace/block.ts';
import { traceOneCall } from './trace/call.ts';
import { traceManyCalls } from './trace/callMany.ts';
import { filterTraces } from './trace/filter.ts';
import { traceCallAt } from './trace/get.ts';
import { traceRawTransaction } from './trace/rawTransaction.ts';
import { replayBlockTransactions } from './trace/replayBlockTransactions.ts';
import { replayTransaction } from './trace/replayTransaction.ts';
import { traceCallsOfTransaction } from './trace/transaction.ts';

/** The methods that show what code did, in the shapes of a profile. */
export function traceMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...[
      traceTransaction(profile),
      traceCall(profile),
      traceBlockByNumber(profile),
      traceBlockByHash(profile),
    ],
    ...[getRawTransaction(profile), getRawBlock, getRawHeader, getRawReceipts, storageRangeAt],
    ...[accountInfoAt, codeByHash, getModifiedAccountsByNumber, getModifiedAccountsByHash],
    ...[
      traceCallsOfTransaction(profile),
      traceCallsOfBlock(profile),
      filterTraces(profile),
      traceCallAt(profile),
    ],
    ...[traceOneCall(profile), traceManyCalls(profile), traceRawTransaction],
    ...[replayTransaction(profile), replayBlockTransactions(profile)],
  ];
}
