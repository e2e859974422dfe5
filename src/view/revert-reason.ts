import { panicReason } from '../solidity/index.ts';

/** The first four bytes of `Error(string)` revert data, as Solidity's `require` and `revert` with a text give. */
const ERROR_SELECTOR = '08c379a0';
/** The first four bytes of `Panic(uint256)` revert data, as Solidity's own checks give. */
const PANIC_SELECTOR = '4e487b71';

const SELECTOR_BYTES = 4;
const WORD_BYTES = 32;

/** What is said of a reverted execution: its reason, where there is one. */
export function revertMessage(output: Uint8Array): string {
  const reason = revertReason(output);
  return reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`;
}

/**
 * Reads the reason out of revert data.
 * @returns undefined where there is none: no data, a custom error, or data that is damaged
 */
export function revertReason(output: Uint8Array): string | undefined {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.length);
  const body = bytes.subarray(SELECTOR_BYTES);
  switch (bytes.toString('hex', 0, SELECTOR_BYTES)) {
    case ERROR_SELECTOR:
      return decodeString(body);
    case PANIC_SELECTOR:
      return body.length === WORD_BYTES ? panicReason(wordAt(body, 0)) : undefined;
    default:
      return undefined;
  }
}

/** Decodes the one argument of type string of ABI-encoded arguments; undefined for any other bytes. */
function decodeString(body: Buffer): string | undefined {
  if (body.length < 2 * WORD_BYTES) return undefined;
  const offset = wordAt(body, 0);
  if (offset > BigInt(body.length - WORD_BYTES)) return undefined;
  const start = Number(offset) + WORD_BYTES;
  const length = wordAt(body, Number(offset));
  if (length > BigInt(body.length - start)) return undefined;
  const text = body.subarray(start, start + Number(length));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text);
  } catch {
    return undefined;
  }
}

function wordAt(bytes: Buffer, offset: number): bigint {
  return BigInt(`0x${bytes.toString('hex', offset, offset + WORD_BYTES)}`);
}
