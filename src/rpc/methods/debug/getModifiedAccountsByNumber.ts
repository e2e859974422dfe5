import { blockSelectorSchema } from '../../parameters/block.ts';
import { modifiedAccountsMethod } from '../../tracing/modified-accounts-method.ts';

export const getModifiedAccountsByNumber = modifiedAccountsMethod({
  name: 'debug_getModifiedAccountsByNumber',
  given: 'numbers',
  start: 'startBlock',
  end: 'endBlock',
  schema: blockSelectorSchema,
});
