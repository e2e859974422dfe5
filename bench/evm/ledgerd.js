/** Our engine as it was built by `npm run build` in the project's folder (or in the folder LEDGERD_DIST). */

import { pathToFileURL } from 'node:url';

const folder = process.env.LEDGERD_DIST
  ? pathToFileURL(`${process.env.LEDGERD_DIST}/`)
  : new URL('../../dist/', import.meta.url);
const [evm, protocol] = await Promise.all(
  ['evm/index.js', 'protocol/index.js'].map((path) => import(new URL(path, folder).href)),
);

/** Rules that all three engines know. */
export const HARDFORK = 'cancun';
export const { Engine, startWarmUp } = evm;
export const { keccak256 } = protocol;
