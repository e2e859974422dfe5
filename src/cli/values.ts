import { isIP } from 'node:net';
import { AMOUNT_MAX, SEED_CHARACTERS_MAX } from '../limits.ts';
import { UsageError } from './errors.ts';

/** Digits and underscores of the largest amount with an underscore between any two digits. */
const AMOUNT_CHARACTERS = 2 * AMOUNT_MAX.toString().length - 1;

/** Characters of a value that an error message shows. */
const SHOWN_CHARACTERS = 40;

/** A host name of letters, digits, `-` and `.`, without an empty label. */
const HOST_NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

/** Turns the text of a flag's value into what the flag means, or throws `UsageError`. */
export type ValueParser<T> = (text: string) => T;

/** Parses decimal digits without sign, point or spaces, in a range that the message names. */
export function wholeNumber(flag: string, least: number, most: number): ValueParser<number> {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new UsageError(`${flag}: expected a whole number from ${least} to ${most}, got ${shown(text)}`);
  };
}

/** Parses a native amount: decimal digits, underscores allowed between them, from 0 to the largest int64. */
export function nativeUnits(flag: string): ValueParser<bigint> {
  return (text) => {
    const wellFormed = text.length <= AMOUNT_CHARACTERS && /^\d+(_\d+)*$/.test(text);
    const value = wellFormed ? BigInt(text.replaceAll('_', '')) : -1n;
    if (value >= 0n && value <= AMOUNT_MAX) return value;
    throw new UsageError(`${flag}: expected native units from 0 to ${AMOUNT_MAX}, got ${shown(text)}`);
  };
}

/** Parses one of a few names. */
export function oneOf<Name extends string>(flag: string, names: readonly Name[]): ValueParser<Name> {
  return (text) => {
    const name = names.find((candidate) => candidate === text);
    if (name !== undefined) return name;
    const allowed = names.length === 1 ? names[0] : `one of ${names.join(', ')}`;
    throw new UsageError(`${flag}: expected ${allowed}, got ${shown(text)}`);
  };
}

/** Parses a host name or an IP address, IPv6 with or without brackets; the result has none. */
export function hostName(flag: string): ValueParser<string> {
  return (text) => {
    const host = text.replace(/^\[(.*)\]$/, '$1');
    const isAddress = isIP(host) !== 0 && (host === text || isIP(host) === 6);
    if (isAddress || (host === text && HOST_NAME.test(host))) return host.toLowerCase();
    throw new UsageError(
      `${flag}: expected a host name or IP address without scheme and port, got ${shown(text)}`,
    );
  };
}

/** Parses the origin of a web page: scheme, host and, where it is not the scheme's own, port. */
export function webOrigin(flag: string): ValueParser<string> {
  return (text) => {
    if (URL.canParse(text) && new URL(text).origin === text.toLowerCase()) return text.toLowerCase();
    throw new UsageError(`${flag}: expected an origin such as http://localhost:3000, got ${shown(text)}`);
  };
}

/** Parses any text that is not empty and not overlong. */
export function someText(flag: string, most = SEED_CHARACTERS_MAX): ValueParser<string> {
  return (text) => {
    if (text.length > 0 && text.length <= most) return text;
    throw new UsageError(`${flag}: expected a text of 1 to ${most} characters, got ${shown(text)}`);
  };
}

/** Makes a parser of one value into the collector of a flag that may be repeated. */
export function repeated<T>(parse: ValueParser<T>): (text: string, before: readonly T[]) => readonly T[] {
  return (text, before) => [...before, parse(text)];
}

/** Repeats a value in a message, shortened where it is long. */
export function shown(text: string): string {
  return text.length > SHOWN_CHARACTERS
    ? `${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}…`
    : JSON.stringify(text);
}
