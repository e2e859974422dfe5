/**
 * Conventions of Solidity's compilers and libraries: types of the application binary interface, decoding, panic codes,
 * functions of the console, readable values. Does not depend on Node.js, since the explorer uses it too.
 */

export { consoleFunctions } from './console.ts';
export { decodedOrNone, decodeParameters } from './decode.ts';
export { ABI_DEPTH_MAX, ABI_PARAMETERS_MAX, ABI_VALUES_MAX } from './limits.ts';
export { panicReason } from './panics.ts';
export { readParameters, readType, splitMembers } from './read-types.ts';
export {
  AbiError,
  type AbiParameter,
  type AbiType,
  type AbiValue,
  headBytes,
  isDynamic,
  typeName,
  typeNames,
} from './types.ts';
export { type ValueStyle, ValueWriter } from './value-writer.ts';
