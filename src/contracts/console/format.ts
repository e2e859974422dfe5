import { format } from 'node:util';
import { lazily } from '../../caching/lazily.ts';
import { bytesToHex } from '../../protocol/index.ts';
import {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  consoleFunctions,
  decodedOrNone,
} from '../../solidity/index.ts';
import { SELECTOR_BYTES, selectorOf } from '../artifacts/contract-interface.ts';
import { showAddress } from '../shown-values.ts';

/**
 * Writes the line of a call of the console: its arguments by the rules of `util.format`, with `%d` and `%i` for numbers
 * of any size; for an unknown function the input in hexadecimal.
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
  // Only a text can have placeholders.
  if (parameters[0]?.type.kind !== 'string' || others.length === 0) return texts.join(' ');
  const template = first.replace(/%%|%[di]/g, (placeholder) => (placeholder === '%%' ? placeholder : '%s'));
  return format(template, ...others);
}

function textOf(type: AbiType, value: AbiValue | undefined): string {
  if (value instanceof Uint8Array) return `0x${bytesToHex(value)}`;
  return type.kind === 'address' ? showAddress(String(value)) : String(value);
}

/** Parameters of the functions of the console, by hexadecimal selector. */
const parametersBySelector = lazily(
  () => new Map(consoleFunctions().map(({ signature, inputs }) => [selectorOf(signature), inputs])),
);
