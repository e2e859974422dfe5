import { invariant } from '../../../protocol/index.ts';
import { nullableShape, operationShape, toOperation } from '../../../view/index.ts';
import { accountObject, accountShape } from '../../accounts/account-object.ts';
import {
  accountReferenceSchema,
  addressOfReference,
  requireAddress,
} from '../../accounts/account-reference.ts';
import {
  listedCountSchema,
  operationPage,
  operationPageShape,
  operationPlaceSchema,
  termsOf,
} from '../../accounts/operations.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { optional } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';

const getAccount = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'ledger_getAccount',
    summary:
      'Answers what the latest state says of an account, a contract or any address; null for an identifier or a ' +
      'name that nobody has.',
    section: 'state',
    work: 'turn',
    parameters: [{ name: 'account', schema: accountReferenceSchema }],
    result: nullableShape(accountShape),
    differences: 'Ethereum has no such method.',
    handler: (context, [reference]) => {
      const address = addressOfReference(context.ledger, reference);
      return address === undefined ? null : accountObject(context, address, profile);
    },
  });

const getOperations = (profile: Profile): MethodDefinition =>
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

const getOperation = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'ledger_getOperation',
    summary:
      'Answers an operation with its native form and the transaction around it; null when there is none.',
    section: 'blocks',
    work: 'turn',
    parameters: [
      {
        name: 'transactionHash',
        schema: hashSchema,
        summary: 'Of the pending or the included form, or of the Ethereum transaction that it carries.',
      },
    ],
    result: nullableShape(operationShape),
    differences: 'Ethereum has no such method.',
    handler: (context, [hash]) => {
      const { ledger } = context;
      const found = ledger.findOperation(hash);
      if (found === undefined) return null;
      const transaction = ledger.findTransaction(found.hash);
      invariant(transaction !== undefined, 'an operation that was found is in a transaction');
      const isIncluded = found.kind === 'included';
      const receipt = isIncluded ? ledger.receiptOutlineOf(found.block.number, found.index) : undefined;
      const addresses = isIncluded ? ledger.addressesOf(found) : [];
      return toOperation(found, transaction, receipt, addresses, termsOf(context, found, profile));
    },
  });

/** Returns the methods that show accounts and their operations. */
export function operationMethods(profile: Profile): readonly MethodDefinition[] {
  return [getAccount(profile), getOperations(profile), getOperation(profile)];
}
