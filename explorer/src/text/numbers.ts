import type { Profile } from '../client/rpc.ts';

const GROUPS = /\B(?=(\d{3})+(?!\d))/g;
/** More decimals than a gwei has. */
const LONG_FRACTION = /(\.\d{9})\d+ /;
const ETHER_DECIMALS = 18;
const GWEI_DECIMALS = 9;
/** Amounts below these are shown in wei and in gwei. */
const SMALLEST_IN_GWEI = 10n ** 5n;
const SMALLEST_IN_ETHER = 10n ** 12n;
const KIBIBYTE = 1024;

/** Digits in groups of three, with narrow spaces between them. */
export function grouped(number: number | bigint): string {
  return String(number).replace(GROUPS, '\u202f');
}

/** A number with few digits behind the point, and none where they are zeros. */
export function decimal(number: number, digits = 1): string {
  return String(Number(number.toFixed(digits)));
}

/**
 * Writes an amount in the words of a profile, without loss: native units, or ether out of wei; amounts so small that
 * nobody could count their zeros in gwei and wei.
 */
export function amountText(amount: bigint, profile: Profile): string {
  if (profile === 'ledger') return `${grouped(amount)} ${amount === 1n ? 'unit' : 'units'}`;
  if (amount === 0n || amount >= SMALLEST_IN_ETHER) return `${fixedPoint(amount, ETHER_DECIMALS)} ETH`;
  return amount >= SMALLEST_IN_GWEI ? `${fixedPoint(amount, GWEI_DECIMALS)} gwei` : `${grouped(amount)} wei`;
}

/** Writes a price of gas in gwei. */
export function gweiText(wei: bigint): string {
  return `${fixedPoint(wei, GWEI_DECIMALS)} gwei`;
}

/** Writes a part of a whole in percent. */
export function percentText(part: bigint, whole: bigint): string {
  return whole === 0n ? '0\u202f%' : `${decimal(Number((part * 10_000n) / whole) / 100, 2)}\u202f%`;
}

/** Cuts most decimals: `0.000000001…`. */
export function shortAmount(text: string): string {
  return text.replace(LONG_FRACTION, '$1… ');
}

/** A whole number as one with decimals, without zeros at the end: `1.5`. */
export function fixedPoint(number: bigint, decimals: number): string {
  const sign = number < 0n ? '\u2212' : '';
  const digits = String(number < 0n ? -number : number).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${sign}${grouped(BigInt(whole))}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Bytes with a unit. */
export function byteText(bytes: number): string {
  if (bytes < KIBIBYTE) return `${bytes} B`;
  if (bytes < KIBIBYTE ** 2) return `${decimal(bytes / KIBIBYTE)} KiB`;
  return `${decimal(bytes / KIBIBYTE ** 2)} MiB`;
}
