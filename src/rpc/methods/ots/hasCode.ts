import { flagShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import type { ProfileObjects } from '../../otterscan/profile-objects.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { optional } from '../../parameters/schema.ts';
import { stateAt } from '../../profiles/state-at.ts';

export const hasCode = ({ profile }: ProfileObjects): MethodDefinition =>
  defineMethod({
    name: 'ots_hasCode',
    summary: 'Answers whether there is code at an address.',
    section: 'otterscan',
    work: 'worker',
    parameters: [
      { name: 'address', schema: addressSchema },
      { name: 'block', schema: optional(blockReferenceSchema, 'latest' as const) },
    ],
    result: flagShape,
    errors: profile === 'ethereum' ? [ERRORS.headerNotFound, ERRORS.stateNotKept] : [],
    differences: 'At `/` the block has no effect: the latest state is asked.',
    handler: ({ ledger }, [address, block]) =>
      (profile === 'ethereum' ? stateAt(ledger, block) : ledger).codeAt(address).length > 0,
  });
