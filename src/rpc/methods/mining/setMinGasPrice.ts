import { nullShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { controlQuantitySchema } from '../../parameters/quantity.ts';
import { mapped, refusal } from '../../parameters/schema.ts';
import { peerNames } from '../../test-control/peer-names.ts';

const priceSchema = mapped(controlQuantitySchema, (price, place) => {
  if (price <= 1n) return price;
  throw refusal(place, `the price of gas is 1 here: expected 0 or 1, got ${price}`);
});

export const setMinGasPrice = defineMethod({
  ...peerNames('setMinGasPrice', 'miner_setGasPrice'),
  summary: 'Takes note of the price of gas, which is always 1: 0 and 1 are accepted.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [{ name: 'price', schema: priceSchema }],
  result: nullShape,
  example: { parameters: ['0x1'], result: null },
  handler: () => null,
});
