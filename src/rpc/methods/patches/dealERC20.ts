import { nullShape } from '../../../view/index.ts';
import { TOKEN_PATCH_ERRORS } from '../../description/error-groups.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { controlQuantitySchema } from '../../parameters/quantity.ts';
import { peerNames } from '../../test-control/peer-names.ts';
import { setAnswer, wordOfAddress } from './token-slots.ts';

const { name, aliases } = peerNames('dealERC20');
const { name: setter, aliases: setters } = peerNames('setERC20Balance');

/** Of `balanceOf(address)`. */
const BALANCE_OF = '70a08231';

export const dealERC20 = defineMethod({
  name,
  aliases: [...aliases, setter, ...setters],
  summary:
    "Sets an address's balance of an ERC-20 token, without a block: finds the slot that `balanceOf` reads.",
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'token', schema: addressSchema, summary: 'The contract.' },
    { name: 'amount', schema: controlQuantitySchema, summary: 'In the smallest units of the token.' },
  ],
  result: nullShape,
  errors: TOKEN_PATCH_ERRORS,
  differences: 'What the token counts as its supply stays as it is.',
  handler: (context, [address, token, amount]) => {
    context.ledger.requireNoReference(address);
    setAnswer(context, token, `${BALANCE_OF}${wordOfAddress(address)}`, amount);
    return null;
  },
});
