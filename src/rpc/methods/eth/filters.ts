import { type LogObject, logShape, logsText, shape } from '../../../formatters/index.ts';
import { quantity } from '../../../protocol/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { logsOnFork } from '../../fork/range-rules.ts';
import { ResponseBody } from '../../json/response-body.ts';
import { requestedLogs, requireStored } from '../../logs/find-logs.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { logCriteriaSchema, logRequestSchema } from '../../parameters/log-options.ts';
import { quantitySchema } from '../../parameters/plain.ts';
import { withPath } from '../../parameters/schema.ts';

/** The items of a filter: logs for a log filter, hashes for the other kinds. */
const filterItemsShape = shape.either(shape.array(logShape), shape.array(shape.hash));

const getLogs = defineMethod({
  name: 'eth_getLogs',
  section: 'filters',
  scheduling: 'worker',
  summary: 'Returns the logs of a range of blocks, or of one block, that match; in chain order.',
  parameters: [{ name: 'options', schema: withPath(logRequestSchema) }],
  beforeFork: (forked, given) => logsOnFork(forked, given, given[0].value),
  result: shape.array(logShape),
  errors: [ERRORS.unknownBlock, ERRORS.tooManyLogs, ERRORS.pendingLogs],
  handler: (context, [request]) => {
    const { lenientLogs } = context.profile;
    if (!lenientLogs) requireStored(request.value);
    return new ResponseBody<LogObject[]>(
      logsText(context.objects.logs(context.ledger, requestedLogs(context, request, lenientLogs))),
    );
  },
});

const newFilter = defineMethod({
  name: 'eth_newFilter',
  section: 'filters',
  summary: 'Creates a filter that reports the matching logs of new blocks, and returns its id.',
  parameters: [{ name: 'options', schema: withPath(logCriteriaSchema) }],
  beforeFork: 'local',
  result: shape.quantity,
  errors: [ERRORS.tooManyFilters],
  differences: 'The range begins at the latest block at the time of the creation of the filter.',
  handler: ({ filters, profile }, [criteria], { client }) => {
    if (!profile.lenientLogs) requireStored(criteria.value);
    return quantity(filters.add(client, { kind: 'logs', criteria }));
  },
});

const newBlockFilter = defineMethod({
  name: 'eth_newBlockFilter',
  section: 'filters',
  summary: 'Creates a filter that reports the hashes of new blocks, and returns its id.',
  beforeFork: 'local',
  result: shape.quantity,
  errors: [ERRORS.tooManyFilters],
  handler: ({ filters }, _none, { client }) => quantity(filters.add(client, { kind: 'newHeads' })),
});

const newPendingTransactionFilter = defineMethod({
  name: 'eth_newPendingTransactionFilter',
  section: 'filters',
  summary: 'Creates a filter that reports the hashes of newly accepted transactions, and returns its id.',
  beforeFork: 'local',
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
  summary: 'Removes a filter; returns false for an unknown id.',
  parameters: [{ name: 'filterId', schema: quantitySchema }],
  beforeFork: 'local',
  result: shape.flag,
  handler: ({ filters }, [id]) => filters.remove(id),
});

const getFilterChanges = defineMethod({
  name: 'eth_getFilterChanges',
  section: 'filters',
  summary: 'Returns the logs or hashes of a filter since its last poll.',
  parameters: [{ name: 'filterId', schema: quantitySchema }],
  beforeFork: 'local',
  result: filterItemsShape,
  errors: [ERRORS.filterNotFound, ERRORS.tooManyLogs, ERRORS.tooManyRemovedLogs],
  differences:
    'A poll beyond the limit of one response fails and leaves the filter unchanged. ' +
    'Logs that the filter has reported come once more with `removed` when their block is reverted.',
  handler: ({ filters }, [id]) => filters.poll(id),
});

const getFilterLogs = defineMethod({
  name: 'eth_getFilterLogs',
  section: 'filters',
  summary: 'Returns all logs that match a log filter.',
  parameters: [{ name: 'filterId', schema: quantitySchema }],
  beforeFork: (forked, given) => {
    const criteria = forked.context.filters.logCriteria(given[0]);
    return criteria === undefined ? forked.here(given) : logsOnFork(forked, given, criteria);
  },
  result: filterItemsShape,
  errors: [ERRORS.filterNotFound, ERRORS.tooManyLogs],
  differences: 'The call does not count as a poll.',
  handler: ({ filters }, [id]) => filters.logs(id),
});

/** The methods that find logs, and those of filters. */
export const FILTER_METHODS: readonly MethodDefinition[] = [
  getLogs,
  newFilter,
  newBlockFilter,
  newPendingTransactionFilter,
  uninstallFilter,
  getFilterChanges,
  getFilterLogs,
];
