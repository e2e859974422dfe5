import { nullShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { controlQuantitySchema } from '../../parameters/quantity.ts';
import { mapped, refusal } from '../../parameters/schema.ts';
import { peerNames } from '../../test-control/peer-names.ts';

const feeSchema = mapped(controlQuantitySchema, (fee, place) => {
  if (fee <= 1n) return fee;
  throw refusal(place, `there is no base fee here: expected 0 or 1, got ${fee}`);
});

export const setNextBlockBaseFeePerGas = defineMethod({
  ...peerNames('setNextBlockBaseFeePerGas'),
  summary: 'Takes note of the base fee, of which there is none: 0 is accepted, and 1, which tools set.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [{ name: 'fee', schema: feeSchema }],
  result: nullShape,
  example: { parameters: ['0x1'], result: null },
  handler: () => null,
});
