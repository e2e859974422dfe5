import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { controlQuantitySchema } from '../../parameters/quantity.ts';
import { placed } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';

/** Returns the methods that set prices of gas, which are fixed: they accept those that there are. */
export function fixedPriceMethods({ id, control }: Profile): readonly MethodDefinition[] {
  const errors = id === 'ledger' ? [] : [ERRORS.priceFixed];
  const example = { parameters: ['0x1'], result: null };
  const setMinGasPrice = defineControlMethod({
    ...peerNames('setMinGasPrice', 'miner_setGasPrice'),
    summary:
      id === 'ledger'
        ? 'Takes note of the price of gas, which is always 1: 0 and 1 are accepted.'
        : 'Takes note of the least price of gas: 0, 1 and 10 gwei, which it is, are accepted.',
    work: 'quick',
    parameters: [{ name: 'price', schema: placed(controlQuantitySchema) }],
    result: nullShape,
    errors,
    example,
    handler: ({ ledger }, [price]) => {
      control.requirePrice(ledger, price);
      return null;
    },
  });
  const setNextBlockBaseFeePerGas = defineControlMethod({
    ...peerNames('setNextBlockBaseFeePerGas'),
    summary:
      id === 'ledger'
        ? 'Takes note of the base fee, of which there is none: 0 is accepted, and 1, which tools set.'
        : 'Takes note of the base fee: 0, 1 and 10 gwei, which it is, are accepted.',
    work: 'quick',
    parameters: [{ name: 'fee', schema: placed(controlQuantitySchema) }],
    result: nullShape,
    errors,
    example,
    handler: ({ ledger }, [fee]) => {
      control.requireBaseFee(ledger, fee);
      return null;
    },
  });
  return [setMinGasPrice, setNextBlockBaseFeePerGas];
}
