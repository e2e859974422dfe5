import { BALANCES_SET_MAX } from '../../../limits.ts';
import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { balanceSchema } from '../../parameters/patches.ts';
import { oneOrMore } from '../../parameters/structures.ts';
import { patchBalances } from '../../test-control/balances.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const setBalance = defineMethod({
  ...peerNames('setBalance', 'tenderly_setBalance', 'evm_setAccountBalance'),
  summary: 'Sets the balance of an address, or of each of several, without a block.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'addresses', schema: oneOrMore(addressSchema, { most: BALANCES_SET_MAX, unit: 'addresses' }) },
    { name: 'balance', schema: balanceSchema },
  ],
  result: nullShape,
  errors: [ERRORS.referenceGiven, ERRORS.supplyTooLarge, ERRORS.tooManyPatches, ERRORS.writesPaused],
  differences:
    'In native units, of which an account holds less than of wei. Answers null by each of its names; makes no block.',
  example: { parameters: ['0x0000000000000000000000000000000000000400', '0xde0b6b3a7640000'], result: null },
  handler: ({ ledger }, [addresses, balance]) => {
    patchBalances(ledger, addresses, () => ledger.inWei(balance));
    return null;
  },
});
