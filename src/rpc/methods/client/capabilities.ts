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
import { defineClientMethod, type MethodDefinition } from '../../method.ts';
import type { Profile } from '../../profiles/profile.ts';

const keptShape = objectShape({
  disabled: flagShape,
  oldestBlock: optionalShape(quantityShape),
  deleteStrategy: optionalShape(
    objectShape({ type: constantShape('window'), retentionBlocks: quantityShape }),
  ),
});

/** What is said of what is kept from block 0 on. */
const ALL_KEPT = { disabled: false, oldestBlock: quantity(0) };

const capabilitiesShape = namedShape(
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
);

export const capabilities = ({ id, state }: Profile): MethodDefinition =>
  defineClientMethod({
    name: 'eth_capabilities',
    summary: 'Returns from which block on the node can answer what.',
    result: capabilitiesShape,
    differences:
      `The state is that of the ${id === 'ledger' ? 'head alone' : 'kept window'}; all blocks are kept; there are no ` +
      'proofs.',
    handler: ({ ledger }) => {
      const { number, id: head } = ledger.head();
      const oldest = state.oldest(ledger);
      return {
        head: { number: quantity(number), hash: data(blockHashOf(head)) },
        state: {
          disabled: false,
          oldestBlock: quantity(oldest),
          deleteStrategy: { type: 'window' as const, retentionBlocks: quantity(number + 1 - oldest) },
        },
        tx: ALL_KEPT,
        logs: ALL_KEPT,
        receipts: ALL_KEPT,
        blocks: ALL_KEPT,
        stateproofs: { disabled: true },
      };
    },
  });
