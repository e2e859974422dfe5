import { lazily } from '../../lazily.ts';
import { bytesToHex, keccak256, utf8ToBytes } from '../../protocol/index.ts';
import { consoleFunctions } from '../../solidity/index.ts';

const SELECTOR_BYTES = 4;

/** What the functions of the console take, by their selectors in hexadecimal. */
export const parametersBySelector = lazily(
  () => new Map(consoleFunctions().map(({ signature, inputs }) => [selectorOf(signature), inputs])),
);

function selectorOf(signature: string): string {
  return bytesToHex(keccak256(utf8ToBytes(signature)).subarray(0, SELECTOR_BYTES));
}
