import { nullableShape } from '../../../view/index.ts';
import { accountObject, accountShape } from '../../accounts/account-object.ts';
import { accountReferenceSchema, addressOfReference } from '../../accounts/account-reference.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getAccount = (profile: Profile): MethodDefinition =>
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
    handler: ({ ledger }, [reference]) => {
      const address = addressOfReference(ledger, reference);
      return address === undefined ? null : accountObject(ledger, address, profile);
    },
  });
