import { PANIC_SELECTOR, revertMessage, revertReason } from '../../formatters/index.ts';
import { bytesToHex } from '../../protocol/index.ts';
import { decodedOrNone } from '../../solidity/index.ts';
import type { Artifact } from '../artifacts/artifact.ts';
import { SELECTOR_BYTES } from '../artifacts/contract-interface.ts';
import type { ArtifactRegistry } from '../artifacts/registry.ts';
import { showValues } from '../shown-values.ts';

/** Bytes of revert data that are shown if its error is unknown. */
const SHOWN_REASON_BYTES_MAX = 68;

/**
 * Returns the reason in revert data: the text of `Error(string)`, the meaning of `Panic(uint256)`, or a custom error
 * with its arguments, which may come from another contract; undefined for no data.
 */
export function reasonOf(
  output: Uint8Array,
  artifact: Artifact | undefined,
  registry: ArtifactRegistry,
): string | undefined {
  if (output.length === 0) return undefined;
  const standard = revertReason(output);
  if (standard !== undefined && bytesToHex(output.subarray(0, SELECTOR_BYTES)) === PANIC_SELECTOR) {
    return `${standard} (0x${bytesToHex(output.subarray(-1))})`;
  }
  return standard ?? customErrorOf(output, artifact, registry) ?? showBytes(output, SHOWN_REASON_BYTES_MAX);
}

/** Returns the message of a reverted execution as in geth, or with a known custom error, cut if long. */
export function revertMessageOf(output: Uint8Array, registry: ArtifactRegistry | undefined): string {
  const error = registry && customErrorOf(output, undefined, registry);
  return error === undefined ? revertMessage(output) : `execution reverted: ${error}`;
}

/** Decodes a custom error with its arguments; undefined for an unknown error. */
function customErrorOf(
  output: Uint8Array,
  artifact: Artifact | undefined,
  registry: ArtifactRegistry,
): string | undefined {
  const selector = bytesToHex(output.subarray(0, SELECTOR_BYTES));
  const error = artifact?.interface.errors.get(selector) ?? registry.errorOf(selector);
  const values = error && decodedOrNone(error.inputs, output.subarray(SELECTOR_BYTES));
  return error && values && `${error.name}(${showValues(error.inputs, values)})`;
}

/** Writes the first bytes in hexadecimal, and the total count if there are more. */
export function showBytes(bytes: Uint8Array, max: number): string {
  const digits = `0x${bytesToHex(bytes.subarray(0, max))}`;
  return bytes.length > max ? `${digits}… (${bytes.length} bytes)` : digits;
}
