import { hashShape, nullableShape } from '../../../view/index.ts';
import { sentWithNonce } from '../../accounts/sent-operations.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { uint64Schema } from '../../parameters/quantity.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getTransactionHashBySenderAndNonce = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'ots_getTransactionBySenderAndNonce',
    summary:
      'Answers the hash of the included transaction of an address with a nonce; null when there is none.',
    section: 'otterscan',
    work: 'worker',
    parameters: [
      { name: 'sender', schema: addressSchema },
      { name: 'nonce', schema: uint64Schema },
    ],
    result: nullableShape(hashShape),
    errors: profile.id === 'ledger' ? [ERRORS.historyDisabled] : [],
    differences:
      'Of who pays for native operations the nonce is how many it had paid for before (history plugin).',
    handler: ({ ledger }, [sender, nonce]) => {
      const found = sentWithNonce(ledger, sender, nonce, profile);
      return found === undefined ? null : profile.objects.hash(found);
    },
  });
