/** Solidity's application binary interface: types, and what is decoded by them. */

export { decodeParameters } from './decode.ts';
export { showAddress, showValue, showValues } from './show.ts';
export {
  AbiError,
  type AbiParameter,
  type AbiType,
  type AbiValue,
  elementaryType,
  readParameters,
  typeNames,
} from './types.ts';
