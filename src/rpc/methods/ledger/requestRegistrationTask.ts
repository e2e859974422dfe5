import { blockHashOf } from '../../../protocol/index.ts';
import { data, hashShape, namedShape, objectShape, quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { requireRegistration } from './registration-desk.ts';

/** Registration task: docs/interface.md#registration. */
const registrationTaskShape = namedShape(
  'RegistrationTask',
  { title: 'Registration task' },
  objectShape({
    blockId: hashShape,
    randNum: quantityShape,
    difficulty: quantityShape,
  }),
);

export const requestRegistrationTask = defineMethod({
  name: 'ledger_requestRegistrationTask',
  summary: 'Gives out a proof of work that allows to register one account within 120 s.',
  section: 'registration',
  work: 'turn',
  parameters: [],
  result: registrationTaskShape,
  errors: [ERRORS.noRegistrarKey],
  differences:
    'Ethereum has no accounts to register. A solution is a nonce for which SHA-256 of the rightmost 20 bytes of ' +
    'blockId, randNum and nonce (each 8 bytes, little endian) begins with as many zero bits as difficulty says.',
  example: {
    parameters: [],
    result: {
      blockId: '0x000000000000000000000000000000003ba4d0c0f2d5d4e2b2f0ec1ad4ac4d2b',
      randNum: '0x7f3a9c5e1b2d4f60',
      difficulty: '0x8',
    },
  },
  handler: (context) => {
    const { blockId, randNum, difficulty } = requireRegistration(context).requestTask();
    return {
      blockId: data(blockHashOf(blockId)),
      randNum: quantity(randNum),
      difficulty: quantity(difficulty),
    };
  },
});
