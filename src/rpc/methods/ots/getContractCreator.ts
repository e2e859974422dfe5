import { addressShape, data, hashShape, nullableShape, objectShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { creationOf } from '../../otterscan/contract-creator.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getContractCreator = ({ objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'ots_getContractCreator',
    summary: 'Answers the transaction that created a contract, and who did; null when there is none.',
    section: 'otterscan',
    work: 'trace',
    parameters: [{ name: 'address', schema: addressSchema }],
    result: nullableShape(objectShape({ hash: hashShape, creator: addressShape })),
    errors: [ERRORS.creationNotKept, ERRORS.traceTimedOut, ERRORS.traceTooLarge],
    differences: 'What code created is found by running its block again, as far back as the state is kept.',
    handler: (context, [address]) => {
      const found = creationOf(context, address);
      return found === undefined
        ? null
        : { hash: objects.hash(found.operation), creator: data(found.creator) };
    },
  });
