import { SHOWN_VALUE_CHARACTERS_MAX } from '../limits.ts';
import { bytesToHex, checksumAddress, hexToBytes, toAddress } from '../protocol/index.ts';
import type { AbiParameter, AbiType, AbiValue } from '../solidity/index.ts';

const PREFIX_CHARACTERS = 2;

/** Writes a value for people: addresses with their checksum, texts in quotation marks; long ones are cut. */
export function showValue(type: AbiType, value: AbiValue): string {
  return cut(written(type, value));
}

/** Writes values with the names of their parameters, as a call has them between parentheses. */
export function showValues(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
  return cut(namedValues(parameters, values));
}

function namedValues(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
  let text = '';
  for (const [index, { name, type }] of parameters.entries()) {
    const value = values[index];
    if (value === undefined) break;
    if (index > 0) text += ', ';
    text += name === '' ? written(type, value) : `${name}=${written(type, value)}`;
    if (text.length > SHOWN_VALUE_CHARACTERS_MAX) break;
  }
  return text;
}

/** A value in its own words; a good deal longer than what is shown only where it is one text or one piece of bytes. */
function written(type: AbiType, value: AbiValue): string {
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    return type.kind === 'address' ? showAddress(value) : JSON.stringify(cut(value));
  }
  if (value instanceof Uint8Array)
    return cut(`0x${bytesToHex(value.subarray(0, SHOWN_VALUE_CHARACTERS_MAX))}`);
  if (type.kind === 'tuple') return `(${namedValues(type.members, value)})`;
  if (type.kind !== 'array') return '';
  let text = '';
  for (const [index, item] of value.entries()) {
    text += index === 0 ? written(type.item, item) : `, ${written(type.item, item)}`;
    if (text.length > SHOWN_VALUE_CHARACTERS_MAX) break;
  }
  return `[${text}]`;
}

/** An address with its checksum. */
export function showAddress(text: string): string {
  return checksumAddress(toAddress(hexToBytes(text.slice(PREFIX_CHARACTERS))));
}

function cut(text: string): string {
  return text.length > SHOWN_VALUE_CHARACTERS_MAX ? `${text.slice(0, SHOWN_VALUE_CHARACTERS_MAX)}…` : text;
}
