import { flagShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { textSchema } from '../../parameters/plain.ts';
import { notificationsOf } from './subscribe.ts';

export const unsubscribe = defineMethod({
  name: 'eth_unsubscribe',
  section: 'filters',
  work: 'quick',
  summary: 'Ends a subscription of this connection; answers false where it has none with this id.',
  parameters: [{ name: 'subscriptionId', schema: textSchema }],
  result: flagShape,
  errors: [ERRORS.notSubscribable],
  handler: ({ subscriptions }, [id], caller) => subscriptions.remove(notificationsOf(caller).subscriber, id),
});
