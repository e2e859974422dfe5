/** Our engine as it was built by `npm run build` in the project's folder (or in the folder LEDGERD_DIST). */

import { pathToFileURL } from 'node:url';

const folder = process.env.LEDGERD_DIST
  ? pathToFileURL(`${process.env.LEDGERD_DIST}/`)
  : new URL('../../dist/', import.meta.url);
/** @type {typeof import('../../dist/evm/index.js')} */
const evm = await import(new URL('evm/index.js', folder).href);
/** @type {typeof import('../../dist/protocol/index.js')} */
const protocol = await import(new URL('protocol/index.js', folder).href);

/** Rules that all three engines know. */
export const HARDFORK = 'cancun';
export const { Engine, startWarmUp } = evm;
export const { keccak256, toAddress, toHash } = protocol;
