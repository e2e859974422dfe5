import { quantity } from '../../../view/index.ts';
import { ALL_KEPT, capabilitiesShape, headPlace } from '../../answers/capabilities.ts';
import { defineMethod } from '../../method.ts';

export const capabilities = defineMethod({
  name: 'eth_capabilities',
  summary: 'Answers from which block on the node can answer what.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: capabilitiesShape,
  differences: 'The state is that of the head alone; all blocks are kept; there are no proofs.',
  handler: ({ ledger }) => {
    const { number } = ledger.head();
    return {
      head: headPlace(ledger),
      state: {
        disabled: false,
        oldestBlock: quantity(number),
        deleteStrategy: { type: 'window', retentionBlocks: quantity(1) },
      },
      tx: ALL_KEPT,
      logs: ALL_KEPT,
      receipts: ALL_KEPT,
      blocks: ALL_KEPT,
      stateproofs: { disabled: true },
    } as const;
  },
});
