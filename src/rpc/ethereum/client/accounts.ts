import { addressShape, arrayShape, data } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const accounts = defineMethod({
  name: 'eth_accounts',
  aliases: ['eth_requestAccounts', 'personal_listAccounts'],
  summary: 'Lists the accounts that the node signs for; none outside of test mode.',
  section: 'client',
  work: 'turn',
  parameters: [],
  result: arrayShape(addressShape),
  handler: ({ keys }) => (keys?.list() ?? []).map(data),
});
