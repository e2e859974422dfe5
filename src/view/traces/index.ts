/** Traces as the JSON objects of the interface. */

export { type CallFrameObject, callFrameObject, callFrameShape, type TransactionGas } from './call-frame.ts';
export { endText } from './end-text.ts';
export { type FlatCall, type FlatPlace, flatCalls } from './flat-calls.ts';
export { prestateDifference, prestateObject } from './prestate.ts';
export { stateDifference } from './state-difference.ts';
