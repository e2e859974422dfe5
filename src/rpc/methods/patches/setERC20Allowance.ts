import { nullShape } from '../../../view/index.ts';
import { TOKEN_PATCH_ERRORS } from '../../description/error-groups.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { controlQuantitySchema } from '../../parameters/quantity.ts';
import { peerNames } from '../../test-control/peer-names.ts';
import { setAnswer, wordOfAddress } from './token-slots.ts';

/** Of `allowance(address,address)`. */
const ALLOWANCE = 'dd62ed3e';

export const setERC20Allowance = defineMethod({
  ...peerNames('setERC20Allowance'),
  summary:
    'Sets how much of an ERC-20 token an address may take of another, without a block: finds the slot that ' +
    '`allowance` reads.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'owner', schema: addressSchema },
    { name: 'spender', schema: addressSchema },
    { name: 'token', schema: addressSchema, summary: 'The contract.' },
    { name: 'amount', schema: controlQuantitySchema, summary: 'In the smallest units of the token.' },
  ],
  result: nullShape,
  errors: TOKEN_PATCH_ERRORS,
  handler: (context, [owner, spender, token, amount]) => {
    for (const address of [owner, spender]) context.ledger.requireNoReference(address);
    setAnswer(context, token, `${ALLOWANCE}${wordOfAddress(owner)}${wordOfAddress(spender)}`, amount);
    return null;
  },
});
