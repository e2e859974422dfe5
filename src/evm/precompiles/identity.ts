import { gasByWords, type Precompile } from './precompile.ts';

const BASE_GAS = 15n;
const WORD_GAS = 3n;

/** Contract 4 returns its input. Source: yellow paper, appendix E.1. */
export const identity: Precompile = {
  name: 'ID',
  gas: (input) => gasByWords(BASE_GAS, WORD_GAS, input),
  run: (input) => Uint8Array.from(input),
};
