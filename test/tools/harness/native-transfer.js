/** Pays from a native account to a key: an operation signed by `ledgerd sign`. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './processes.js';
import { LEDGERD } from './targets.js';

/** Number of the operation `transfer_to_address`, and its asset: the native one. */
const TRANSFER_TO_ADDRESS = 0x7f03;
const ASSET = '1.3.0';
const FEE = 21_000;
/** Seconds for which the transaction is valid. */
const SECONDS = 300;
/** Characters of a block hash before its native id of 20 bytes. */
const ID_PLACE = 2 + 24;

/**
 * Sends units of the first test account to an address.
 *
 * @param {import('./endpoint.js').Endpoint} endpoint the native side
 * @param {string} key of the account, 64 digits
 * @param {string} to
 * @param {bigint} units
 * @param {string} scratch
 * @returns {Promise<string>} the hash
 */
export async function payNatively(endpoint, key, to, units, scratch) {
  const { number, hash, timestamp } = await endpoint.call('eth_getBlockByNumber', 'latest', false);
  const transaction = {
    ref_block_num: Number(number) & 0xffff,
    ref_block_prefix: Buffer.from(hash.slice(ID_PLACE), 'hex').readUInt32LE(4),
    expiration: new Date((Number(timestamp) + SECONDS) * 1_000).toISOString().slice(0, 19),
    operations: [
      [
        TRANSFER_TO_ADDRESS,
        {
          fee: { amount: FEE, asset_id: ASSET },
          from: '1.2.1024',
          to: to.slice(2).toLowerCase(),
          amount: { amount: Number(units), asset_id: ASSET },
          extensions: [],
        },
      ],
    ],
    extensions: [],
    signatures: [],
  };
  const file = join(mkdtempSync(join(scratch, 'key-')), 'key');
  writeFileSync(file, key, { mode: 0o600 });
  const words = ['sign', '--key-file', file, '--url', endpoint.url, '--send', '-'];
  return (await run(process.execPath, [LEDGERD, ...words], { input: JSON.stringify(transaction) })).trim();
}
