import { sha256 as digest } from '../../protocol/index.ts';
import { gasByWords, type Precompile } from './precompile.ts';

const BASE_GAS = 60n;
const WORD_GAS = 12n;

/** Contract 2: SHA-256 of the input. Source: yellow paper, appendix E.1. */
export const sha256: Precompile = {
  name: 'sha256',
  gas: (input) => gasByWords(BASE_GAS, WORD_GAS, input),
  run: (input) => digest(input),
};
