import { z } from 'zod';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { rangeOf, spanOf } from '../../filters/block-range.ts';
import { findLogs } from '../../filters/find-logs.ts';
import { blockByHash } from '../../lookups.ts';
import { defineQuery } from '../../method.ts';
import { logRequestSchema } from '../../schemas/log-filter.ts';
import { logResult } from '../../schemas/results.ts';

export const getLogs = defineQuery({
  name: 'eth_getLogs',
  section: 'filters',
  summary: 'Answers the logs of a range of blocks, or of one block, that match; in chain order.',
  parameters: [{ name: 'options', schema: logRequestSchema }],
  result: z.array(logResult),
  errors: [ERRORS.unknownBlock, ERRORS.tooManyLogs],
  differences: 'A range that reaches past the head ends at the head; one that begins past it has no logs.',
  handler: (context, request) => {
    const { ledger } = context;
    if (request.blockHash === undefined) {
      const head = ledger.head().number;
      return findLogs(context, request, spanOf(rangeOf(request, head), 0, head));
    }
    const block = blockByHash(ledger, request.blockHash);
    if (block === undefined) throw new RequestFailedError('unknown block');
    return findLogs(context, request, { fromBlock: block.number, toBlock: block.number });
  },
});
