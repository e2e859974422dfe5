import { shape } from '../../../formatters/index.ts';
import type { Caller, CallNotifications } from '../../context/caller.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { describeValue, shorten } from '../../json/describe.ts';
import { defineMethod } from '../../method.ts';
import type { SubscriptionKind } from '../../parameters/event-kinds.ts';
import { logCriteriaSchema } from '../../parameters/log-options.ts';
import { flagSchema, textSchema } from '../../parameters/plain.ts';
import {
  hashSchema,
  optional,
  refusal,
  type Schema,
  type WithPath,
  withPath,
} from '../../parameters/schema.ts';
import { arrayOf, objectOf } from '../../parameters/structures.ts';
import { MethodNotFoundError } from '../../rpc-errors.ts';

/** Hashes in the filter of a subscription to receipts. */
const SUBSCRIBED_HASHES_MAX = 200;

const criteriaSchema = optional(logCriteriaSchema);
const isFullSchema = optional(flagSchema, false);
const receiptOptionsSchema = optional(
  objectOf({
    transactionHashes: optional(
      arrayOf(hashSchema, { most: SUBSCRIBED_HASHES_MAX, unit: 'transaction hashes' }),
    ),
  }),
);

/** The options of any kind of subscription; they are read again once the kind is known. */
const optionsSchema: Schema<unknown> = {
  isOptional: true,
  describe: (components) => ({
    title: 'options of the subscription',
    anyOf: [criteriaSchema, isFullSchema, receiptOptionsSchema].map((schema) => schema.describe(components)),
  }),
  read: (value, path) => {
    if (value === undefined || value === null || typeof value === 'boolean') return value;
    if (typeof value !== 'object') {
      throw refusal(path, `expected true or false, or an object, got ${describeValue(value)}`);
    }
    const ofReceipts = Object.hasOwn(value, 'transactionHashes');
    (ofReceipts ? receiptOptionsSchema : criteriaSchema).read(value, path);
    return value;
  },
};

export const subscribe = defineMethod({
  name: 'eth_subscribe',
  section: 'filters',
  scheduling: 'quick',
  summary:
    'Subscribes to future events over a WebSocket, and returns the subscription id of the notifications.',
  parameters: [
    {
      name: 'kind',
      schema: textSchema,
      summary: 'newHeads, logs, newPendingTransactions, syncing or transactionReceipts.',
    },
    {
      name: 'options',
      schema: withPath(optionsSchema),
      summary:
        'For logs: address and topics. For newPendingTransactions: true for whole transactions. For ' +
        'transactionReceipts: {transactionHashes}.',
    },
  ],
  beforeFork: 'local',
  result: shape.data,
  errors: [ERRORS.notSubscribable, ERRORS.tooManySubscriptions],
  differences:
    'Logs of reverted blocks are sent again with `removed`. The range of blocks in options of logs has no ' +
    'effect.',
  handler: ({ subscriptions }, [name, options], caller) => {
    const kind = kindOf(name, options);
    const notifications = notificationsOf(caller);
    const { id, start } = subscriptions.add(notifications.subscriber, kind);
    notifications.afterResponse(start);
    return id;
  },
});

/** Returns the notifications of a caller. @throws MethodNotFoundError for a caller without any */
function notificationsOf({ notifications }: Caller): CallNotifications {
  if (notifications === undefined) {
    throw new MethodNotFoundError('notifications not supported: connect by a WebSocket, on the same port');
  }
  return notifications;
}

/** Reads the kind of a subscription. @throws InvalidParametersError, MethodNotFoundError for an unknown kind */
function kindOf(name: string, { value: options, path }: WithPath<unknown>): SubscriptionKind {
  switch (name) {
    case 'newHeads':
    case 'syncing':
      return { kind: name };
    case 'logs': {
      const { addresses = [], topics = [] } = criteriaSchema.read(options, path) ?? {};
      return { kind: name, match: { addresses, topics } };
    }
    case 'newPendingTransactions':
      return { kind: name, isFull: isFullSchema.read(options, path) };
    case 'transactionReceipts':
      return { kind: name, hashes: receiptOptionsSchema.read(options, path)?.transactionHashes ?? [] };
    default:
      throw new MethodNotFoundError(`no "${shorten(name)}" subscription in eth namespace`);
  }
}

export const unsubscribe = defineMethod({
  name: 'eth_unsubscribe',
  section: 'filters',
  scheduling: 'quick',
  summary: 'Ends a subscription of this connection; returns false for an unknown id.',
  parameters: [{ name: 'subscriptionId', schema: textSchema }],
  beforeFork: 'local',
  result: shape.flag,
  errors: [ERRORS.notSubscribable],
  handler: ({ subscriptions }, [id], caller) => subscriptions.remove(notificationsOf(caller).subscriber, id),
});
