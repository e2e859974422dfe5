import { arrayShape, type LogObject, logShape, logsText } from '../../../view/index.ts';
import { requestedLogs } from '../../answers/requested-logs.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { ResponseBody } from '../../json/response-body.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { logRequestSchema } from '../../parameters/log-options.ts';
import { placed } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getLogs = ({ objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getLogs',
    section: 'filters',
    work: 'worker',
    summary: 'Returns the logs of a range of blocks, or of one block, that match; in chain order.',
    parameters: [{ name: 'options', schema: placed(logRequestSchema) }],
    result: arrayShape(logShape),
    errors: [ERRORS.unknownBlock, ERRORS.tooManyLogs],
    differences: 'A range that reaches past the head ends at the head; one that begins past it has no logs.',
    handler: (context, [request]) =>
      new ResponseBody<LogObject[]>(logsText(objects.logs(context.ledger, requestedLogs(context, request)))),
  });
