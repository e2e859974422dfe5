import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import type { TestChainContext } from '../../method-context.ts';
import { controlQuantitySchema } from '../../parameters/quantity.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const setMinGasPrice = defineMethod({
  ...peerNames('setMinGasPrice', 'miner_setGasPrice'),
  summary: 'Takes note of the least price of gas: 0, 1 and 10 gwei, which it is, are accepted.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [{ name: 'price', schema: controlQuantitySchema }],
  result: nullShape,
  errors: [ERRORS.priceFixed],
  example: { parameters: ['0x1'], result: null },
  handler: (context, [price]) => nullFor(context, price),
});

export const setNextBlockBaseFeePerGas = defineMethod({
  ...peerNames('setNextBlockBaseFeePerGas'),
  summary: 'Takes note of the base fee: 0, 1 and 10 gwei, which it is, are accepted.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [{ name: 'fee', schema: controlQuantitySchema }],
  result: nullShape,
  errors: [ERRORS.priceFixed],
  example: { parameters: ['0x1'], result: null },
  handler: (context, [fee]) => nullFor(context, fee),
});

/** Tools set 0 and 1 to have no fees to think of. */
function nullFor({ ledger }: TestChainContext, price: bigint): null {
  if (price <= 1n || price === ledger.rules.weiPerUnit) return null;
  throw new RequestFailedError(`a unit of gas costs ${ledger.rules.weiPerUnit} wei here, got ${price}`);
}
