import { format } from 'node:util';
import { lazily } from '../../lazily.ts';
import { bytesToHex, keccak256, utf8ToBytes } from '../../protocol/index.ts';
import {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  consoleFunctions,
  decodedOrNone,
} from '../../solidity/index.ts';
import { showAddress } from '../shown-values.ts';

const SELECTOR_BYTES = 4;

/**
 * What a call of the console says, by its input: the arguments by the rules of `util.format`, where `%d` and `%i` take
 * numbers of any size. What is no call of a known function is the input in hexadecimal.
 */
export function consoleLine(input: Uint8Array): string {
  const parameters = parametersBySelector().get(bytesToHex(input.subarray(0, SELECTOR_BYTES)));
  const values = parameters && decodedOrNone(parameters, input.subarray(SELECTOR_BYTES));
  if (parameters === undefined || values === undefined) return `0x${bytesToHex(input)}`;
  return formatted(parameters, values);
}

function formatted(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
  const texts = parameters.map(({ type }, index) => textOf(type, values[index]));
  const [first = '', ...others] = texts;
  // Only a text has places for the others.
  if (parameters[0]?.type.kind !== 'string' || others.length === 0) return texts.join(' ');
  const places = first.replace(/%%|%[di]/g, (place) => (place === '%%' ? place : '%s'));
  return format(places, ...others);
}

function textOf(type: AbiType, value: AbiValue | undefined): string {
  if (value instanceof Uint8Array) return `0x${bytesToHex(value)}`;
  return type.kind === 'address' ? showAddress(String(value)) : String(value);
}

/** What the functions of the console take, by their selectors in hexadecimal. */
const parametersBySelector = lazily(
  () => new Map(consoleFunctions().map(({ signature, inputs }) => [selectorOf(signature), inputs])),
);

function selectorOf(signature: string): string {
  return bytesToHex(keccak256(utf8ToBytes(signature)).subarray(0, SELECTOR_BYTES));
}
