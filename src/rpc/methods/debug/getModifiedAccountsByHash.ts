import { hashSchema } from '../../parameters/bytes.ts';
import { mapped } from '../../parameters/schema.ts';
import { modifiedAccountsMethod } from '../../tracing/modified-accounts-method.ts';

export const getModifiedAccountsByHash = modifiedAccountsMethod({
  name: 'debug_getModifiedAccountsByHash',
  given: 'hashes',
  start: 'startHash',
  end: 'endHash',
  schema: mapped(hashSchema, (hash) => ({ hash })),
});
