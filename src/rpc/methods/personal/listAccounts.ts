import { addressShape, arrayShape, data } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const listAccounts = defineMethod({
  name: 'personal_listAccounts',
  // The names that Ethereum tools use.
  aliases: ['eth_accounts', 'eth_requestAccounts'],
  summary: 'Lists the addresses of the accounts of the test wallet.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [],
  result: arrayShape(addressShape),
  handler: ({ wallet }) => wallet.list().map(data),
});
