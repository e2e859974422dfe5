import { defineMethod } from '../../method.ts';
import { quantityResult } from '../../schemas/results.ts';

/** What the ledger reports as the version of its EVM protocol: 63. */
const PROTOCOL_VERSION = '0x3f';

export const protocolVersion = defineMethod({
  name: 'eth_protocolVersion',
  summary: 'Answers the protocol version of the integrated EVM.',
  section: 'client',
  parameters: [],
  result: quantityResult,
  differences: 'Always 63.',
  example: { parameters: [], result: '0x3f' },
  handler: () => PROTOCOL_VERSION,
});
