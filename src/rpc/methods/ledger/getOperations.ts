import { accountReferenceSchema, requireAddress } from '../../accounts/account-reference.ts';
import {
  listedCountSchema,
  operationPage,
  operationPageShape,
  operationPlaceSchema,
} from '../../accounts/operations.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { optional } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getOperations = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'ledger_getOperations',
    summary:
      'Answers the included operations that an address has to do with, newest first: it sent or received them, ' +
      'was created or is named by them, or wrote one of their logs.',
    section: 'blocks',
    work: 'worker',
    parameters: [
      { name: 'account', schema: accountReferenceSchema },
      {
        name: 'before',
        schema: optional(operationPlaceSchema),
        summary: 'The `next` of the page before; null for the newest ones.',
      },
      { name: 'count', schema: listedCountSchema },
    ],
    result: operationPageShape,
    errors: [ERRORS.noSuchAccount],
    differences: 'Whom code called or paid, without a log of its own, only traces tell: `trace_filter`.',
    handler: (context, [reference, before, count]) =>
      operationPage(context, requireAddress(context.ledger, reference), before, count, profile),
  });
