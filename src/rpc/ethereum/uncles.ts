import { nullableShape, nullShape, quantity, quantityShape } from '../../view/index.ts';
import { defineMethod, type MethodDefinition } from '../method.ts';
import { BLOCK_CHOICES, type BlockChoice, numberOf } from '../methods/eth/block-choice.ts';
import { quantitySchema } from '../parameters/quantity.ts';

const uncleCount = ({ suffix, parameter }: BlockChoice): MethodDefinition =>
  defineMethod({
    name: `eth_getUncleCountByBlock${suffix}`,
    summary: 'Counts the uncles of a block, of which there are none; null when there is no such block.',
    section: 'blocks',
    work: 'quick',
    parameters: [parameter],
    result: nullableShape(quantityShape),
    handler: ({ ledger }, [block]) => {
      const number = numberOf(ledger, block);
      return number === undefined || ledger.blocks.blockByNumber(number) === undefined ? null : quantity(0);
    },
  });

const uncle = ({ suffix, parameter }: BlockChoice): MethodDefinition =>
  defineMethod({
    name: `eth_getUncleByBlock${suffix}AndIndex`,
    summary: 'Answers null: there are no uncles.',
    section: 'blocks',
    work: 'quick',
    parameters: [parameter, { name: 'index', schema: quantitySchema }],
    result: nullShape,
    handler: () => null,
  });

/** The methods about uncles, of which there are none. */
export const UNCLE_METHODS: readonly MethodDefinition[] = [
  ...BLOCK_CHOICES.map(uncleCount),
  ...BLOCK_CHOICES.map(uncle),
];
