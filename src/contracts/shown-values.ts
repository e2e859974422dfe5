import { checksumAddress, hexToBytes, toAddress } from '../protocol/index.ts';
import { type AbiParameter, type AbiValue, ValueWriter } from '../solidity/index.ts';

/** Characters of a decoded value, or of all arguments of a call, in a line of the node's log. */
const SHOWN_VALUE_CHARACTERS_MAX = 320;

const PREFIX_CHARACTERS = 2;

const writer = new ValueWriter({
  charactersMax: SHOWN_VALUE_CHARACTERS_MAX,
  address: showAddress,
  label: (name) => `${name}=`,
  namedMembers: ['(', ')'],
});

/** Writes values with the names of their parameters, as between the parentheses of a call; cuts long ones. */
export function showValues(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
  return writer.cut(writer.values(parameters, values));
}

export function showAddress(text: string): string {
  return checksumAddress(toAddress(hexToBytes(text.slice(PREFIX_CHARACTERS))));
}
