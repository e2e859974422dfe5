import {
  type AbiParameter,
  type AbiValue,
  type ContractInterface,
  decodedOrNone,
  fromHex,
  reasonOf,
  showName,
  showValues,
} from '../abi/index.ts';
import type { Hex } from '../client/reading.ts';

const SELECTOR_CHARACTERS = 10;

/** A call in words. */
export interface CallWords {
  /** The function, or the digits that should have been one. */
  readonly name: string;
  /** Decoded arguments; undefined if they cannot be decoded. */
  readonly inputs: string | undefined;
  /** Decoded return values. */
  readonly outputs: string | undefined;
}

/** Decodes a call by the interface of its contract; undefined for a call without data. */
export function callInWords(
  abi: ContractInterface | undefined,
  input: Hex,
  output: Hex,
): CallWords | undefined {
  if (input.length < SELECTOR_CHARACTERS) return input === '0x' ? undefined : unknown(input);
  const selector = input.slice(0, SELECTOR_CHARACTERS);
  const called = abi?.functions.find((candidate) => candidate.selector === selector);
  if (called === undefined) return unknown(selector);
  return {
    name: showName(called.name),
    inputs: valuesInWords(called.inputs, `0x${input.slice(SELECTOR_CHARACTERS)}`),
    outputs: output === '0x' ? undefined : valuesInWords(called.outputs, output),
  };
}

function unknown(name: string): CallWords {
  return { name, inputs: undefined, outputs: undefined };
}

/** Decodes the reason of a revert by the errors of its contract; undefined for unknown data. */
export function reasonInWords(
  abi: Pick<ContractInterface, 'errors'> | undefined,
  output: Hex,
): string | undefined {
  return output === '0x' ? undefined : reasonOf(output, abi?.errors ?? []);
}

/** Decodes values out of hexadecimal digits; undefined where these are no encoding of them. */
export function decodedDigits(
  parameters: readonly AbiParameter[],
  data: string,
): readonly AbiValue[] | undefined {
  const bytes = fromHex(data);
  return bytes && decodedOrNone(parameters, bytes);
}

function valuesInWords(parameters: readonly AbiParameter[], data: string): string | undefined {
  const values = decodedDigits(parameters, data);
  return values && showValues(parameters, values);
}
