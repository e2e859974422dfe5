import { arrayShape, type LogObject, logShape, logsText } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { type BlockSpan, rangeOf, spanOf } from '../../filters/block-range.ts';
import { findLogs } from '../../filters/find-logs.ts';
import { JsonText } from '../../json/json-text.ts';
import { blockByHash } from '../../lookups.ts';
import { defineMethod } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';

import { type LogRequest, logRequestSchema } from '../../parameters/log-options.ts';

export const getLogs = defineMethod({
  name: 'eth_getLogs',
  section: 'filters',
  work: 'worker',
  summary: 'Answers the logs of a range of blocks, or of one block, that match; in chain order.',
  parameters: [{ name: 'options', schema: logRequestSchema }],
  result: arrayShape(logShape),
  errors: [ERRORS.unknownBlock, ERRORS.tooManyLogs],
  differences: 'A range that reaches past the head ends at the head; one that begins past it has no logs.',
  handler: (context, [request]) =>
    new JsonText<LogObject[]>(logsText(findLogs(context, request, spanOfRequest(context, request)))),
});

/** The blocks that a request is about; undefined for none. @throws RequestFailedError for an unknown block */
function spanOfRequest({ ledger }: QueryContext, request: LogRequest): BlockSpan | undefined {
  if (request.blockHash === undefined) {
    const head = ledger.head().number;
    return spanOf(rangeOf(request, head), 0, head);
  }
  const block = blockByHash(ledger, request.blockHash);
  if (block === undefined) throw new RequestFailedError('unknown block');
  return { fromBlock: block.number, toBlock: block.number };
}
