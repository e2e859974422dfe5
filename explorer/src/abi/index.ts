/** Solidity's application binary interface in the page: types, encoding and decoding, values as people type them. */

export { checksumAddress, hashOf, nativeAddress, nativeId, readAddress, selectorOf } from './addresses.ts';
export { decodeParameters } from './decode.ts';
export { concat, encodeParameters } from './encode.ts';
export { AbiError } from './errors.ts';
export { fromHex, toHex } from './hex.ts';
export {
  type ContractErrorType,
  type ContractEvent,
  type ContractFunction,
  type ContractInterface,
  describeLog,
  type LoggedValue,
  readInterface,
} from './interface.ts';
export { reasonOf } from './reason.ts';
export { showName, showValue, showValues, visible } from './show.ts';
export {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  readParameters,
  readType,
  splitMembers,
  typeName,
  typeNames,
} from './types.ts';
export { parseInteger, parseValue, parseValues } from './value-text.ts';
