import { z } from 'zod';
import { blockHashOf } from '../../../protocol/index.ts';
import { data, quantity } from '../../../view/index.ts';
import { defineQuery } from '../../method.ts';
import { hashResult, quantityResult } from '../../schemas/results.ts';

const keptResult = z.strictObject({
  disabled: z.boolean(),
  oldestBlock: quantityResult.optional(),
  deleteStrategy: z.strictObject({ type: z.literal('window'), retentionBlocks: quantityResult }).optional(),
});

const ALL = { disabled: false, oldestBlock: quantity(0) };

export const capabilities = defineQuery({
  name: 'eth_capabilities',
  summary: 'Answers from which block on the node can answer what.',
  section: 'client',
  parameters: [],
  result: z
    .strictObject({
      head: z.strictObject({ number: quantityResult, hash: hashResult }),
      state: keptResult,
      tx: keptResult,
      logs: keptResult,
      receipts: keptResult,
      blocks: keptResult,
      stateproofs: keptResult,
    })
    .meta({ id: 'Capabilities', title: 'capabilities' }),
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
