import { nullShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const stopImpersonatingAccount = defineMethod({
  ...peerNames('stopImpersonatingAccount'),
  summary: 'Ends what `anvil_impersonateAccount` has begun; of another address there is nothing to end.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: nullShape,
  differences: 'Answers null whether or not the address was impersonated.',
  example: { parameters: ['0x0100000000000000000000000000000000000000'], result: null },
  handler: ({ wallet }, [address]) => {
    wallet.impersonation.remove(address);
    return null;
  },
});
