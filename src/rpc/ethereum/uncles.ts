import { nullableShape, nullShape, quantity, quantityShape } from '../../view/index.ts';
import { blockByHash, blockBySelector } from '../blocks/find-block.ts';
import type { MethodDefinition } from '../method.ts';
import { defineMethod } from '../method.ts';
import { blockSelectorSchema } from '../parameters/block.ts';
import { hashSchema } from '../parameters/bytes.ts';
import { quantitySchema } from '../parameters/quantity.ts';

const NONE = quantity(0);

const getUncleCountByBlockHash = defineMethod({
  name: 'eth_getUncleCountByBlockHash',
  summary: 'Counts the uncles of a block, of which there are none; null when there is no such block.',
  section: 'blocks',
  work: 'quick',
  parameters: [{ name: 'blockHash', schema: hashSchema }],
  result: nullableShape(quantityShape),
  handler: ({ ledger }, [hash]) => (blockByHash(ledger, hash) === undefined ? null : NONE),
});

const getUncleCountByBlockNumber = defineMethod({
  name: 'eth_getUncleCountByBlockNumber',
  summary: 'Counts the uncles of a block, of which there are none; null when there is no such block.',
  section: 'blocks',
  work: 'quick',
  parameters: [{ name: 'block', schema: blockSelectorSchema }],
  result: nullableShape(quantityShape),
  handler: ({ ledger }, [selector]) => (blockBySelector(ledger, selector) === undefined ? null : NONE),
});

const getUncleByBlockHashAndIndex = defineMethod({
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

const getUncleByBlockNumberAndIndex = defineMethod({
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

/** The methods about uncles, of which there are none. */
export const UNCLE_METHODS: readonly MethodDefinition[] = [
  ...[getUncleCountByBlockHash, getUncleCountByBlockNumber],
  ...[getUncleByBlockHashAndIndex, getUncleByBlockNumberAndIndex],
];
