import { blockHashOf } from '../../../protocol/index.ts';
import {
  constantShape,
  data,
  flagShape,
  hashShape,
  namedShape,
  objectShape,
  optionalShape,
  quantity,
  quantityShape,
} from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

const keptShape = objectShape({
  disabled: flagShape,
  oldestBlock: optionalShape(quantityShape),
  deleteStrategy: optionalShape(
    objectShape({ type: constantShape('window'), retentionBlocks: quantityShape }),
  ),
});

const ALL = { disabled: false, oldestBlock: quantity(0) };

export const capabilities = defineMethod({
  name: 'eth_capabilities',
  summary: 'Answers from which block on the node can answer what.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: namedShape(
    'Capabilities',
    { title: 'capabilities' },
    objectShape({
      head: objectShape({ number: quantityShape, hash: hashShape }),
      state: keptShape,
      tx: keptShape,
      logs: keptShape,
      receipts: keptShape,
      blocks: keptShape,
      stateproofs: keptShape,
    }),
  ),
  differences: 'The state is that of the head alone; all blocks are kept; there are no proofs.',
  handler: ({ ledger }) => {
    const { number, id } = ledger.head();
    return {
      head: { number: quantity(number), hash: data(blockHashOf(id)) },
      state: {
        disabled: false,
        oldestBlock: quantity(number),
        deleteStrategy: { type: 'window', retentionBlocks: quantity(1) },
      },
      tx: ALL,
      logs: ALL,
      receipts: ALL,
      blocks: ALL,
      stateproofs: { disabled: true },
    } as const;
  },
});
