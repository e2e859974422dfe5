import { textShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { clientVersionOf } from '../client-version.ts';

export const clientVersion = defineMethod({
  name: 'web3_clientVersion',
  summary: 'Names the blockchain, the version of the client and the operating system with its bitness.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: textShape,
  example: { parameters: [], result: 'LEDGER/0.1.0/Linux.64-bit' },
  handler: ({ version }) => clientVersionOf(version),
});
