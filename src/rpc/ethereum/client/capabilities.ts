import { capabilitiesOf, capabilitiesShape } from '../../answers/capabilities.ts';
import { defineMethod } from '../../method.ts';

export const capabilities = defineMethod({
  name: 'eth_capabilities',
  summary: 'Answers from which block on the node can answer what.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: capabilitiesShape,
  differences: 'The state is that of the kept window; all blocks are kept; there are no proofs.',
  handler: ({ ledger }) => capabilitiesOf(ledger, ledger.oldestKept),
});
