import { type AbiParameter, type AbiType, type AbiValue, ValueWriter } from '../../../src/solidity/index.ts';
import { SHOWN_NAME_CHARACTERS_MAX, SHOWN_VALUE_CHARACTERS_MAX } from '../limits.ts';
import { checksumAddress } from './addresses.ts';

const writer = new ValueWriter({
  charactersMax: SHOWN_VALUE_CHARACTERS_MAX,
  address: checksumAddress,
  label: (name) => `${showName(name)}: `,
  // Members are found by name where all of them have one.
  namedMembers: ['{', '}'],
});

/** Writes a value for people, in the syntax of `parseValue`; long values are cut. */
export function showValue(type: AbiType, value: AbiValue): string {
  const isText = type.kind === 'string' && typeof value === 'string';
  return visible(writer.cut(isText ? value : writer.value(type, value)));
}

/** Writes values with the names of their parameters, as a call has them between parentheses. */
export function showValues(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
  return visible(writer.cut(writer.values(parameters, values)));
}

/** A foreign name, cut where it is too long to be one. */
export function showName(name: string): string {
  const isLong = name.length > SHOWN_NAME_CHARACTERS_MAX;
  return visible(isLong ? `${name.slice(0, SHOWN_NAME_CHARACTERS_MAX)}…` : name);
}

/**
 * Control characters, direction marks (Unicode Standard Annex 9) and zero-width characters, except tabs, line ends and
 * joiners.
 */
const INVISIBLE = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes invisible and direction-changing characters, so that foreign text cannot imitate another text. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (sign) => sign.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
