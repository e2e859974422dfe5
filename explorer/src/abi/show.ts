import type { AbiParameter, AbiType, AbiValue } from '../../../src/solidity/index.ts';
import { SHOWN_NAME_CHARACTERS_MAX, SHOWN_VALUE_CHARACTERS_MAX } from '../limits.ts';
import { checksumAddress } from './addresses.ts';
import { toHex } from './hex.ts';

/** Writes a value for people, as `parseValue` reads it again; what is very long is cut. */
export function showValue(type: AbiType, value: AbiValue): string {
  const isText = type.kind === 'string' && typeof value === 'string';
  return visible(cut(isText ? value : written(type, value), SHOWN_VALUE_CHARACTERS_MAX));
}

/** Writes values with the names of their parameters, as a call has them between parentheses. */
export function showValues(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
  return visible(cut(members(parameters, values), SHOWN_VALUE_CHARACTERS_MAX));
}

/** A foreign name, cut where it is too long to be one. */
export function showName(name: string): string {
  return visible(cut(name, SHOWN_NAME_CHARACTERS_MAX));
}

function members(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
  let text = '';
  for (const [index, { name, type }] of parameters.entries()) {
    const value = values[index];
    if (value === undefined || text.length > SHOWN_VALUE_CHARACTERS_MAX) break;
    text += `${index === 0 ? '' : ', '}${name === '' ? '' : `${showName(name)}: `}${written(type, value)}`;
  }
  return text;
}

function written(type: AbiType, value: AbiValue): string {
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    return type.kind === 'address'
      ? checksumAddress(value)
      : JSON.stringify(cut(value, SHOWN_VALUE_CHARACTERS_MAX));
  }
  if (value instanceof Uint8Array)
    return cut(toHex(value.subarray(0, SHOWN_VALUE_CHARACTERS_MAX)), SHOWN_VALUE_CHARACTERS_MAX);
  if (type.kind === 'tuple') {
    // Members are found by name where all of them have one.
    const isNamed = type.members.length > 0 && type.members.every(({ name }) => name !== '');
    return isNamed ? `{${members(type.members, value)}}` : `(${members(type.members, value)})`;
  }
  if (type.kind !== 'array') return '';
  let text = '';
  for (const [index, item] of value.entries()) {
    text += index === 0 ? written(type.item, item) : `, ${written(type.item, item)}`;
    if (text.length > SHOWN_VALUE_CHARACTERS_MAX) break;
  }
  return `[${text}]`;
}

/**
 * Controls, signs that turn the direction of what follows (Unicode Standard Annex 9), and signs of no width. Tabs, ends
 * of lines and what joins letters stay.
 */
const INVISIBLE = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Writes controls that turn or hide what stands beside them as escapes: a foreign text can't pretend to be another. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (sign) => sign.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
