/** Our engine as it was built by `npm run build` in the project's folder (or in the folder LEDGERD_DIST). */

import { pathToFileURL } from 'node:url';

const folder = process.env.LEDGERD_DIST
  ? pathToFileURL(`${process.env.LEDGERD_DIST}/`)
  : new URL('../../dist/', import.meta.url);
/** @type {typeof import('../../dist/evm/index.js')} */
const evm = await import(new URL('evm/index.js', folder).href);
/** @type {typeof import('../../dist/protocol/index.js')} */
const protocol = await import(new URL('protocol/index.js', folder).href);
/** @type {typeof import('../../dist/evm/precompiles/cached-runs.js')} */
const { PRECOMPILE_CACHE_BYTES_MAX } = await import(new URL('evm/precompiles/cached-runs.js', folder).href);
/** @type {typeof import('../../dist/store/index.js')} */
const store = await import(new URL('store/index.js', folder).href);
/** @type {typeof import('../../dist/ledger/chain/records.js')} */
const records = await import(new URL('ledger/chain/records.js', folder).href);
/** @type {typeof import('../../dist/ledger/state/engine-host.js')} */
const hosts = await import(new URL('ledger/state/engine-host.js', folder).href);

/** So many entries of what is remembered are all that there is room for. */
const ENTRIES = 4;
/** A function that there is not, and bytes of a header in front of the input. */
const NO_FUNCTION = 1_000;
const HEADER_BYTES = 16;
let forgotten = 0;

/** Clears the cache of precompiled results, so that the engine computes everything again. */
export function forgetResults() {
  if (PRECOMPILE_CACHE_BYTES_MAX === undefined) return;
  const entry = new Int32Array(PRECOMPILE_CACHE_BYTES_MAX / ENTRIES / 4);
  for (let count = 0; count < ENTRIES; count++) {
    forgotten += 1;
    entry.set([NO_FUNCTION + forgotten, entry.byteLength - HEADER_BYTES, 0, 0]);
    evm.importResults(new Uint8Array(entry.buffer));
  }
}

/** Rules that all three engines know. */
export const HARDFORK = 'cancun';
export const { Engine, startWarmUp } = evm;
export const { keccak256, toAddress, toHash } = protocol;
export const { openStore, stateKey } = store;
export const { accountRecordOf } = records;
export const { StoreHost, trimmedWord } = hosts;
