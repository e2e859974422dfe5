import { type AbiParameter, decodedOrNone, panicReason } from '../solidity/index.ts';

/** Selector of `Error(string)`: revert data of Solidity's `require` and `revert` with a text. */
const ERROR_SELECTOR = '08c379a0';
/** Selector of `Panic(uint256)`: revert data of Solidity's generated checks. */
export const PANIC_SELECTOR = '4e487b71';

const SELECTOR_BYTES = 4;
const WORD_BYTES = 32;
/** The parameter of `Error(string)`, read as bytes since they may be invalid UTF-8. */
const TEXT: readonly AbiParameter[] = [{ name: '', type: { kind: 'bytes' } }];

/** Returns the error text of a reverted execution, with its reason if it has one. */
export function revertMessage(output: Uint8Array): string {
  const reason = revertReason(output);
  return reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`;
}

/** Returns the reason in revert data; undefined for no data, a custom error, or malformed data. */
export function revertReason(output: Uint8Array): string | undefined {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.length);
  const body = bytes.subarray(SELECTOR_BYTES);
  switch (bytes.toString('hex', 0, SELECTOR_BYTES)) {
    case ERROR_SELECTOR: {
      const [text] = decodedOrNone(TEXT, body) ?? [];
      return text instanceof Uint8Array ? utf8Text(text) : undefined;
    }
    case PANIC_SELECTOR:
      return body.length === WORD_BYTES ? panicReason(BigInt(`0x${body.toString('hex')}`)) : undefined;
    default:
      return undefined;
  }
}

function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
