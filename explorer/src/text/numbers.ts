import type { Profile } from '../client/rpc.ts';

const GROUPS = /\B(?=(\d{3})+(?!\d))/g;
const ETHER_DECIMALS = 18;
const KIBIBYTE = 1024;

/** Digits in groups of three, with narrow spaces between them. */
export function grouped(number: number | bigint): string {
  return String(number).replace(GROUPS, '\u202f');
}

/** A number with few digits behind the point, and none where they are zeros. */
export function decimal(number: number, digits = 1): string {
  return String(Number(number.toFixed(digits)));
}

/** An amount in the words of a profile: native units, or ether out of wei. */
export function amountText(amount: bigint, profile: Profile): string {
  if (profile === 'ledger') return `${grouped(amount)} ${amount === 1n ? 'unit' : 'units'}`;
  return `${fixedPoint(amount, ETHER_DECIMALS)} ETH`;
}

/** A whole number as one with decimals, without zeros at the end: `1.5`. */
export function fixedPoint(number: bigint, decimals: number): string {
  const sign = number < 0n ? '\u2212' : '';
  const digits = String(number < 0n ? -number : number).padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals);
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${sign}${grouped(BigInt(whole))}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Bytes with a unit. */
export function byteText(bytes: number): string {
  if (bytes < KIBIBYTE) return `${bytes} B`;
  if (bytes < KIBIBYTE ** 2) return `${decimal(bytes / KIBIBYTE)} KiB`;
  return `${decimal(bytes / KIBIBYTE ** 2)} MiB`;
}
