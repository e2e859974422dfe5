import { nullShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const autoImpersonateAccount = defineMethod({
  ...peerNames('autoImpersonateAccount'),
  summary: 'Impersonates every address that is not in the wallet, or ends that.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'enabled', schema: flagSchema }],
  result: nullShape,
  differences: 'The accounts of the wallet still send with their own keys, where they are unlocked.',
  example: { parameters: [true], result: null },
  handler: ({ wallet }, [enabled]) => {
    wallet.impersonation.setAuto(enabled);
    return null;
  },
});
