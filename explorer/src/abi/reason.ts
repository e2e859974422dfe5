import { decodeParameters } from './decode.ts';
import { AbiError } from './errors.ts';
import { fromHex } from './hex.ts';
import type { ContractErrorType } from './interface.ts';
import { showName, showValues, visible } from './show.ts';
import { readParameters } from './types.ts';

const SELECTOR_CHARACTERS = 10;

/** Errors that every compiler of Solidity makes. */
const TEXT_ERROR = { selector: '0x08c379a0', inputs: readParameters([{ type: 'string' }]) };
const PANIC = { selector: '0x4e487b71', inputs: readParameters([{ type: 'uint256' }]) };

/** What the codes of `Panic(uint256)` mean (Solidity documentation, "Panic via assert and Error via require"). */
const PANIC_REASONS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
]);

/**
 * What revert data says: the text of `Error(string)`, the meaning of `Panic(uint256)`, or a custom error with its
 * arguments.
 *
 * @param data in hexadecimal
 * @returns undefined where it says nothing that is known
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
      if (typeof code === 'bigint') return PANIC_REASONS.get(code) ?? `panic 0x${code.toString(16)}`;
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
