import { nullableShape, nullShape, quantity, quantityShape } from '../../../view/index.ts';
import { blockByHash, blockBySelector } from '../../answers/find-block.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

const NONE = quantity(0);

export const getUncleCountByBlockHash = defineMethod({
  name: 'eth_getUncleCountByBlockHash',
  summary: 'Counts the uncles of a block, of which there are none; null when there is no such block.',
  section: 'blocks',
  work: 'quick',
  parameters: [{ name: 'blockHash', schema: hashSchema }],
  result: nullableShape(quantityShape),
  handler: ({ ledger }, [hash]) => (blockByHash(ledger, hash) === undefined ? null : NONE),
});

export const getUncleCountByBlockNumber = defineMethod({
  name: 'eth_getUncleCountByBlockNumber',
  summary: 'Counts the uncles of a block, of which there are none; null when there is no such block.',
  section: 'blocks',
  work: 'quick',
  parameters: [{ name: 'block', schema: blockSelectorSchema }],
  result: nullableShape(quantityShape),
  handler: ({ ledger }, [selector]) => (blockBySelector(ledger, selector) === undefined ? null : NONE),
});

export const getUncleByBlockHashAndIndex = defineMethod({
  name: 'eth_getUncleByBlockHashAndIndex',
  summary: 'Answers null: there are no uncles.',
  section: 'blocks',
  work: 'quick',
  parameters: [
    { name: 'blockHash', schema: hashSchema },
    { name: 'index', schema: quantitySchema },
  ],
  result: nullShape,
  handler: () => null,
});

export const getUncleByBlockNumberAndIndex = defineMethod({
  name: 'eth_getUncleByBlockNumberAndIndex',
  summary: 'Answers null: there are no uncles.',
  section: 'blocks',
  work: 'quick',
  parameters: [
    { name: 'block', schema: blockSelectorSchema },
    { name: 'index', schema: quantitySchema },
  ],
  result: nullShape,
  handler: () => null,
});
