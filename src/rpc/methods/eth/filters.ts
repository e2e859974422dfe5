import { quantity } from '../../../protocol/index.ts';
import { type LogObject, logShape, logsText, shape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { ResponseBody } from '../../json/response-body.ts';
import { requestedLogs } from '../../logs/find-logs.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { logCriteriaSchema, logRequestSchema } from '../../parameters/log-options.ts';
import { quantitySchema } from '../../parameters/plain.ts';
import { withPath } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';

/** The items of a filter: logs for a log filter, hashes for the other kinds. */
const filterItemsShape = shape.either(shape.array(logShape), shape.array(shape.hash));

const getLogs = ({ id, objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getLogs',
    section: 'filters',
    scheduling: 'worker',
    summary: 'Returns the logs of a range of blocks, or of one block, that match; in chain order.',
    parameters: [{ name: 'options', schema: withPath(logRequestSchema) }],
    result: shape.array(logShape),
    errors: [ERRORS.unknownBlock, ERRORS.tooManyLogs],
    differences:
      id === 'ledger'
        ? 'A range that reaches past the head ends at the head; one that begins past it has no logs.'
        : undefined,
    handler: (context, [request]) =>
      new ResponseBody<LogObject[]>(
        logsText(objects.logs(context.ledger, requestedLogs(context, request, id === 'ledger'))),
      ),
  });

const newFilter = defineMethod({
  name: 'eth_newFilter',
  section: 'filters',
  scheduling: 'turn',
  summary: 'Creates a filter that reports the matching logs of new blocks, and returns its id.',
  parameters: [{ name: 'options', schema: withPath(logCriteriaSchema) }],
  result: shape.quantity,
  errors: [ERRORS.tooManyFilters],
  differences: 'The range begins at the latest block at the time of the creation of the filter.',
  handler: ({ filters }, [criteria], { client }) => quantity(filters.add(client, { kind: 'logs', criteria })),
});

const newBlockFilter = defineMethod({
  name: 'eth_newBlockFilter',
  section: 'filters',
  scheduling: 'turn',
  summary: 'Creates a filter that reports the hashes of new blocks, and returns its id.',
  result: shape.quantity,
  errors: [ERRORS.tooManyFilters],
  handler: ({ filters }, _none, { client }) => quantity(filters.add(client, { kind: 'newHeads' })),
});

const newPendingTransactionFilter = defineMethod({
  name: 'eth_newPendingTransactionFilter',
  section: 'filters',
  scheduling: 'turn',
  summary: 'Creates a filter that reports the hashes of newly accepted transactions, and returns its id.',
  result: shape.quantity,
  errors: [ERRORS.tooManyFilters],
  differences:
    'The hashes are those of the pending form, which find a transaction before and after its inclusion; ' +
    'transactions that are included at once are reported, too.',
  handler: ({ filters }, _none, { client }) =>
    quantity(filters.add(client, { kind: 'newPendingTransactions' })),
});

const uninstallFilter = defineMethod({
  name: 'eth_uninstallFilter',
  section: 'filters',
  scheduling: 'turn',
  summary: 'Removes a filter; returns false for an unknown id.',
  parameters: [{ name: 'filterId', schema: quantitySchema }],
  result: shape.flag,
  handler: ({ filters }, [id]) => filters.remove(id),
});

const getFilterChanges = defineMethod({
  name: 'eth_getFilterChanges',
  section: 'filters',
  scheduling: 'turn',
  summary: 'Returns the logs or hashes of a filter since its last poll.',
  parameters: [{ name: 'filterId', schema: quantitySchema }],
  result: filterItemsShape,
  errors: [ERRORS.filterNotFound, ERRORS.tooManyLogs],
  differences: 'A poll beyond the limit of one response fails and leaves the filter unchanged.',
  handler: ({ filters }, [id]) => filters.poll(id),
});

const getFilterLogs = defineMethod({
  name: 'eth_getFilterLogs',
  section: 'filters',
  scheduling: 'turn',
  summary: 'Returns all logs that match a log filter; for another filter the items of its next poll.',
  parameters: [{ name: 'filterId', schema: quantitySchema }],
  result: filterItemsShape,
  errors: [ERRORS.filterNotFound, ERRORS.tooManyLogs],
  differences:
    'Accepts filters of blocks and of pending transactions, too; the call does not count as a poll.',
  handler: ({ filters }, [id]) => filters.logs(id),
});

/** Returns the methods that find logs, and those of filters. */
export function filterMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...[getLogs(profile), newFilter, newBlockFilter, newPendingTransactionFilter],
    ...[uninstallFilter, getFilterChanges, getFilterLogs],
  ];
}
