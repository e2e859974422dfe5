import type { MethodDefinition } from '../method.ts';
import { accountInfoAt } from '../methods/debug/accountInfoAt.ts';
import { codeByHash } from '../methods/debug/codeByHash.ts';
import { getModifiedAccountsByHash } from '../methods/debug/getModifiedAccountsByHash.ts';
import { getModifiedAccountsByNumber } from '../methods/debug/getModifiedAccountsByNumber.ts';
import { getRawBlock } from '../methods/debug/getRawBlock.ts';
import { getRawHeader } from '../methods/debug/getRawHeader.ts';
import { getRawReceipts } from '../methods/debug/getRawReceipts.ts';
import { getRawTransaction } from '../methods/debug/getRawTransaction.ts';
import { storageRangeAt } from '../methods/debug/storageRangeAt.ts';
import { traceBlockByHash } from '../methods/debug/traceBlockByHash.ts';
import { traceBlockByNumber } from '../methods/debug/traceBlockByNumber.ts';
import { traceCall } from '../methods/debug/traceCall.ts';
import { traceTransaction } from '../methods/debug/traceTransaction.ts';
import { traceCallsOfBlock } from '../methods/trace/block.ts';
import { traceOneCall } from '../methods/trace/call.ts';
import { traceManyCalls } from '../methods/trace/callMany.ts';
import { filterTraces } from '../methods/trace/filter.ts';
import { traceCallAt } from '../methods/trace/get.ts';
import { traceRawTransaction } from '../methods/trace/rawTransaction.ts';
import { replayBlockTransactions } from '../methods/trace/replayBlockTransactions.ts';
import { replayTransaction } from '../methods/trace/replayTransaction.ts';
import { traceCallsOfTransaction } from '../methods/trace/transaction.ts';
import type { TraceView } from './trace-view.ts';

/** The methods that show what code did, in the shapes of a profile. */
export function traceMethods<Request>(view: TraceView<Request>): readonly MethodDefinition[] {
  return [
    ...[traceTransaction(view), traceCall(view), traceBlockByNumber(view), traceBlockByHash(view)],
    ...[getRawTransaction(view), getRawBlock, getRawHeader, getRawReceipts, storageRangeAt],
    ...[accountInfoAt, codeByHash, getModifiedAccountsByNumber, getModifiedAccountsByHash],
    ...[traceCallsOfTransaction(view), traceCallsOfBlock(view), filterTraces(view), traceCallAt(view)],
    ...[traceOneCall(view), traceManyCalls(view), traceRawTransaction],
    ...[replayTransaction(view), replayBlockTransactions(view)],
  ];
}
