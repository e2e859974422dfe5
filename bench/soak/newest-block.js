/** The block that transactions refer to. */

import { toBlockId } from '../../dist/protocol/index.js';
import { call } from '../../test/rpc-client.js';

/** Seconds for which transactions are valid. */
export const PATIENCE_SECONDS = 3_600;
/** Bytes of a block hash before the native id. */
const HASH_LEAD_BYTES = 12;

/** Returns the number, native id and timestamp of the newest block. */
export async function newestBlock(url) {
  const { number, hash, timestamp } = await call(url, 'eth_getBlockByNumber', 'latest', false);
  const id = toBlockId(Uint8Array.from(Buffer.from(hash.slice(2), 'hex').subarray(HASH_LEAD_BYTES)));
  return { number: Number(number), id, timestamp: Number(timestamp) };
}
