import { AMOUNT_MAX } from '../../../consensus.ts';
import type { Ledger, SetBalance } from '../../../ledger/index.ts';
import { BALANCES_SET_MAX } from '../../../limits.ts';
import { type Address, bytesToHex } from '../../../protocol/index.ts';
import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { placed } from '../../parameters/schema.ts';
import { oneOrMore } from '../../parameters/structures.ts';
import type { Profile } from '../../profiles/profile.ts';

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

/** Returns the methods that change balances without a block. */
export function balanceMethods({ id, unit, control }: Profile): readonly MethodDefinition[] {
  const setBalance = defineControlMethod({
    ...peerNames('setBalance', 'tenderly_setBalance', 'evm_setAccountBalance'),
    summary: `Sets the balance of an address, or of each of several, in ${unit}, without a block.`,
    parameters: [ADDRESSES_PARAMETER, { name: 'balance', schema: placed(control.amount) }],
    result: nullShape,
    errors: PATCH_ERRORS,
    differences:
      id === 'ledger'
        ? 'In native units, of which an account holds less than of wei. Answers null by each of its names; makes no ' +
          'block.'
        : `${CUT} Answers null by each of its names.`,
    example: {
      parameters: ['0x0000000000000000000000000000000000000400', '0xde0b6b3a7640000'],
      result: null,
    },
    handler: (context, [addresses, { value, place }]) => {
      const wei = control.inWei(context.ledger, value);
      patchBalances(context.ledger, addresses, (_, address) =>
        control.holdable(context, address, wei, place),
      );
      return null;
    },
  });
  const addBalance = defineControlMethod({
    ...peerNames('addBalance', 'tenderly_addBalance'),
    summary: `Adds ${unit} to the balance of an address, or of each of several, without a block.`,
    parameters: [ADDRESSES_PARAMETER, { name: 'amount', schema: placed(control.amount) }],
    result: nullShape,
    errors: PATCH_ERRORS,
    differences: `An address that stands there twice gets it twice. ${id === 'ledger' ? 'Makes no block.' : CUT}`,
    example: { parameters: ['0x0000000000000000000000000000000000000400', '0x3e8'], result: null },
    handler: (context, [addresses, { value, place }]) => {
      const wei = control.inWei(context.ledger, value);
      patchBalances(context.ledger, addresses, (balance, address) =>
        control.holdable(context, address, balance + wei, place),
      );
      return null;
    },
  });
  return [setBalance, addBalance];
}

/** Sets the balances of addresses in wei, all of them or none; `next` returns one from the former. */
function patchBalances(
  ledger: Ledger,
  addresses: readonly Address[],
  next: (balance: bigint, address: Address) => bigint,
): void {
  if (addresses.length === 0) return;
  ledger.patch(() => {
    const balances = new Map<string, SetBalance>();
    for (const address of addresses) {
      const name = bytesToHex(address);
      const balance = balances.get(name)?.balance ?? ledger.weiBalanceOf(address);
      balances.set(name, { address, balance: next(balance, address) });
    }
    return { type: 'balances', balances: [...balances.values()] };
  });
}
