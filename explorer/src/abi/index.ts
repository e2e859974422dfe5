/** Solidity's application binary interface in the page: interfaces, encoding, values as people type and read them. */

export {
  AbiError,
  type AbiParameter,
  type AbiType,
  type AbiValue,
  consoleFunctions,
  decodedOrNone,
  decodeParameters,
  readParameters,
  readType,
  splitMembers,
  typeName,
  typeNames,
} from '../../../src/solidity/index.ts';
export { checksumAddress, hashOf, keccak, nativeAddress, readAddress, selectorOf } from './addresses.ts';
export { concat, encodeParameters } from './encode.ts';
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
export { parseInteger, parseValue, parseValues } from './value-text.ts';
