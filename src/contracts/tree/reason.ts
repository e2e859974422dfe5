import { SHOWN_REASON_BYTES_MAX } from '../../limits.ts';
import { bytesToHex } from '../../protocol/index.ts';
import { decodedOrNone } from '../../solidity/index.ts';
import { revertReason } from '../../view/index.ts';
import type { Artifact, ArtifactRegistry } from '../artifacts/index.ts';
import { showValues } from '../shown-values.ts';

const SELECTOR_BYTES = 4;

/**
 * What revert data says: the text of `Error(string)`, the meaning of `Panic(uint256)`, or a custom error with its
 * arguments by the interface of the contract or, since errors are passed on, of another one.
 *
 * @returns undefined where there is no data
 */
export function reasonOf(
  output: Uint8Array,
  artifact: Artifact | undefined,
  registry: ArtifactRegistry,
): string | undefined {
  if (output.length === 0) return undefined;
  const standard = revertReason(output);
  if (standard !== undefined) return standard;
  const selector = bytesToHex(output.subarray(0, SELECTOR_BYTES));
  const error = artifact?.interface.errors.get(selector) ?? registry.errorOf(selector);
  const values = error && decodedOrNone(error.inputs, output.subarray(SELECTOR_BYTES));
  if (error !== undefined && values !== undefined)
    return `${error.name}(${showValues(error.inputs, values)})`;
  return showBytes(output, SHOWN_REASON_BYTES_MAX);
}

/** The first bytes in hexadecimal, and how many there are where there are more. */
export function showBytes(bytes: Uint8Array, most: number): string {
  const digits = `0x${bytesToHex(bytes.subarray(0, most))}`;
  return bytes.length > most ? `${digits}… (${bytes.length} bytes)` : digits;
}
