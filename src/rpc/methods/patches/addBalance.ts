import { AMOUNT_MAX } from '../../../consensus.ts';
import { BALANCES_SET_MAX } from '../../../limits.ts';
import { toPrefixedHex } from '../../../protocol/index.ts';
import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { balanceSchema } from '../../parameters/patches.ts';
import { placed, refusal } from '../../parameters/schema.ts';
import { oneOrMore } from '../../parameters/structures.ts';
import { patchBalances } from '../../test-control/balances.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const addBalance = defineMethod({
  ...peerNames('addBalance', 'tenderly_addBalance'),
  summary: 'Adds to the balance of an address, or of each of several, without a block.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'addresses', schema: oneOrMore(addressSchema, { most: BALANCES_SET_MAX, unit: 'addresses' }) },
    { name: 'amount', schema: placed(balanceSchema) },
  ],
  result: nullShape,
  errors: [ERRORS.referenceGiven, ERRORS.supplyTooLarge, ERRORS.tooManyPatches, ERRORS.writesPaused],
  differences: 'An address that stands there twice gets it twice. Makes no block.',
  example: { parameters: ['0x0000000000000000000000000000000000000400', '0x3e8'], result: null },
  handler: ({ ledger }, [addresses, { value: amount, place }]) => {
    patchBalances(ledger, addresses, (balance, address) => {
      const wei = balance + ledger.inWei(amount);
      const sum = wei / ledger.rules.weiPerUnit;
      if (sum <= AMOUNT_MAX) return wei;
      throw refusal(
        place,
        `${toPrefixedHex(address)} would have ${sum} native units, and an account can ` +
          `hold at most ${AMOUNT_MAX}`,
      );
    });
    return null;
  },
});
