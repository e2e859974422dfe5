import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const impersonateAccount = defineMethod({
  ...peerNames('impersonateAccount'),
  summary: 'Lets `eth_sendTransaction` send from an address without its key, also from a contract.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'address', schema: addressSchema }],
  result: nullShape,
  errors: [ERRORS.evmAddressGiven, ERRORS.tooManyImpersonated],
  differences:
    'What it sends is charged nothing. Kept with the chain. The EVM address of an account is refused: the account ' +
    'has an address of its own.',
  example: { parameters: ['0x0100000000000000000000000000000000000000'], result: null },
  handler: ({ wallet }, [address]) => {
    wallet.impersonate(address);
    return null;
  },
});
