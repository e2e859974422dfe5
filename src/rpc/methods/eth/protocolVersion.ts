import { quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

/** What the ledger reports as the version of its EVM protocol: 63. */
const PROTOCOL_VERSION = '0x3f';

export const protocolVersion = defineMethod({
  name: 'eth_protocolVersion',
  summary: 'Answers the protocol version of the integrated EVM.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  differences: 'Always 63.',
  example: { parameters: [], result: '0x3f' },
  handler: () => PROTOCOL_VERSION,
});
