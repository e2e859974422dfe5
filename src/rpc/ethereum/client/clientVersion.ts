import { textShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { ethereumClientVersion } from '../client-version.ts';

export const clientVersion = defineMethod({
  name: 'web3_clientVersion',
  summary: 'Names the client and its version; in test mode as an anvil, which tools look for.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: textShape,
  example: { parameters: [], result: 'anvil/v1.7.1-ledgerd-0.2.0' },
  handler: (context) => ethereumClientVersion(context),
});
