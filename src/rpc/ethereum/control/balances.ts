import { AMOUNT_MAX } from '../../../consensus.ts';
import { BALANCES_SET_MAX } from '../../../limits.ts';
import type { Address } from '../../../protocol/index.ts';
import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import type { TestChainContext } from '../../method-context.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { controlQuantitySchema } from '../../parameters/quantity.ts';
import { oneOrMore } from '../../parameters/structures.ts';
import { patchBalances } from '../../test-control/balances.ts';
import { peerNames } from '../../test-control/peer-names.ts';

const ADDRESSES_PARAMETER = {
  name: 'addresses',
  schema: oneOrMore(addressSchema, { most: BALANCES_SET_MAX, unit: 'addresses' }),
} as const;

const PATCH_ERRORS = [
  ERRORS.referenceGiven,
  ERRORS.supplyTooLarge,
  ERRORS.tooManyPatches,
  ERRORS.writesPaused,
];

const CUT = `More than an account can hold, ${AMOUNT_MAX} · 10^10 wei, is cut to that, which the node's log tells.`;

/** What an account can hold of so many wei; the operator is told where that is less. */
function holdable({ ledger, onBalanceCut }: TestChainContext, address: Address, wei: bigint): bigint {
  const most = ledger.inWei(AMOUNT_MAX);
  if (wei <= most) return wei;
  onBalanceCut?.(address, wei, most);
  return most;
}

export const setBalance = defineMethod({
  ...peerNames('setBalance', 'tenderly_setBalance', 'evm_setAccountBalance'),
  summary: 'Sets the balance of an address, or of each of several, in wei, without a block.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [ADDRESSES_PARAMETER, { name: 'balance', schema: controlQuantitySchema }],
  result: nullShape,
  errors: PATCH_ERRORS,
  differences: `${CUT} Answers null by each of its names.`,
  handler: (context, [addresses, balance]) => {
    patchBalances(context.ledger, addresses, (_, address) => holdable(context, address, balance));
    return null;
  },
});

export const addBalance = defineMethod({
  ...peerNames('addBalance', 'tenderly_addBalance'),
  summary: 'Adds wei to the balance of an address, or of each of several, without a block.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [ADDRESSES_PARAMETER, { name: 'amount', schema: controlQuantitySchema }],
  result: nullShape,
  errors: PATCH_ERRORS,
  differences: `An address that stands there twice gets it twice. ${CUT}`,
  handler: (context, [addresses, amount]) => {
    patchBalances(context.ledger, addresses, (balance, address) =>
      holdable(context, address, balance + amount),
    );
    return null;
  },
});
