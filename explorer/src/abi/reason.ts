import { AbiError, decodeParameters, panicReason, readParameters } from '../../../src/solidity/index.ts';
import { fromHex } from './hex.ts';
import type { ContractErrorType } from './interface.ts';
import { showName, showValues, visible } from './show.ts';

const SELECTOR_CHARACTERS = 10;

/** Errors that every compiler of Solidity makes. */
const TEXT_ERROR = { selector: '0x08c379a0', inputs: readParameters([{ type: 'string' }]) };
const PANIC = { selector: '0x4e487b71', inputs: readParameters([{ type: 'uint256' }]) };

/**
 * Decodes revert data: the text of `Error(string)`, the meaning of `Panic(uint256)`, or a custom error with
 * its arguments.
 *
 * @param data in hexadecimal
 * @returns undefined for unknown data
 */
export function reasonOf(data: string, errors: readonly ContractErrorType[] = []): string | undefined {
  const bytes = fromHex(data)?.subarray((SELECTOR_CHARACTERS - 2) / 2);
  if (bytes === undefined) return undefined;
  const selector = data.slice(0, SELECTOR_CHARACTERS).toLowerCase();
  try {
    if (selector === TEXT_ERROR.selector)
      return visible(String(decodeParameters(TEXT_ERROR.inputs, bytes)[0]));
    if (selector === PANIC.selector) {
      const [code] = decodeParameters(PANIC.inputs, bytes);
      if (typeof code === 'bigint') return panicReason(code);
    }
    for (const error of errors) {
      if (error.selector !== selector) continue;
      return `${showName(error.name)}(${showValues(error.inputs, decodeParameters(error.inputs, bytes))})`;
    }
  } catch (error) {
    if (!(error instanceof AbiError)) throw error;
  }
  return undefined;
}
