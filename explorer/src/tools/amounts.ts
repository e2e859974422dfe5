import { AbiError, parseInteger } from '../abi/index.ts';
import type { Profile } from '../client/rpc.ts';
import type { Choice, Field } from './action-form.tsx';
import { FieldError } from './action-form.tsx';

/** A unit that amounts are given in. */
export type Unit = 'units' | 'wei' | 'gwei' | 'ether';

const UNITS: readonly Unit[] = ['units', 'wei', 'gwei', 'ether'];

/** Decimals of a unit, relative to the smallest unit of a profile. */
const DECIMALS: Readonly<Record<Profile, Readonly<Record<Unit, number>>>> = {
  // docs/interface.md#transaction-object: one native unit is one wei.
  ledger: { units: 0, wei: 0, gwei: 9, ether: 18 },
  // docs/ethereum.md: a native unit is 10^10 wei.
  ethereum: { units: 10, wei: 0, gwei: 9, ether: 18 },
};

/** The smallest units of a profile that one native unit is. */
export function unitsIn(profile: Profile): bigint {
  return 10n ** BigInt(DECIMALS[profile].units);
}

const DECIMAL = /^(\d[\d_]*)(?:\.(\d+))?$/;

/**
 * Reads a typed amount in a unit; returns it in the profile's smallest unit.
 *
 * @throws AbiError for an invalid amount, or too many decimals
 */
export function readAmount(text: string, unit: Unit, profile: Profile): bigint {
  const trimmed = text.trim();
  const decimals = DECIMALS[profile][unit];
  const [, whole, fraction = ''] = DECIMAL.exec(trimmed) ?? [];
  if (whole === undefined) {
    const integer = parseInteger(trimmed);
    if (integer === undefined || integer < 0n) throw new AbiError('', 'expected an amount, such as 1.5');
    return integer * 10n ** BigInt(decimals);
  }
  if (fraction.length > decimals) {
    throw new AbiError('', `${unit} have at most ${decimals} decimal places here`);
  }
  return BigInt(`${whole.replaceAll('_', '')}${fraction.padEnd(decimals, '0')}`);
}

/** Writes an amount in a unit, without zeros at the end; undefined where the unit is too large for a whole number. */
export function amountIn(amount: bigint, unit: Unit, profile: Profile): string {
  const decimals = DECIMALS[profile][unit];
  if (decimals === 0) return String(amount);
  const digits = String(amount).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Every unit with the amount in it. */
export function inAllUnits(amount: bigint, profile: Profile): readonly (readonly [Unit, string])[] {
  return UNITS.map((unit) => [unit, amountIn(amount, unit, profile)]);
}

/** The units to choose from, the profile's own first. */
export function unitChoices(profile: Profile): readonly Choice[] {
  const order = profile === 'ledger' ? UNITS : [...UNITS].reverse();
  const words: Readonly<Record<Unit, string>> = {
    units: 'native units',
    wei: 'wei',
    gwei: 'gwei',
    ether: 'ether',
  };
  return order.map((unit) => ({ value: unit, label: words[unit] }));
}

/** Two fields: an amount, and the unit of it. */
export function amountFields(profile: Profile, label: string, initial: string): readonly Field[] {
  return [
    { name: 'amount', label, initial, input: { kind: 'number' } },
    { name: 'unit', label: 'Unit', input: { kind: 'choice', choices: unitChoices(profile) } },
  ];
}

/** Reads them. @throws FieldError */
export function amountOf(
  { amount = '', unit = '' }: Readonly<Record<string, string>>,
  profile: Profile,
): bigint {
  const known = UNITS.find((one) => one === unit);
  if (known === undefined) throw new FieldError('unit', 'choose a unit');
  try {
    return readAmount(amount, known, profile);
  } catch (error) {
    if (error instanceof AbiError) throw new FieldError('amount', error.problem);
    throw error;
  }
}
