/** A contract that writes logs: for every 96 bytes of its call data one with these three words as topics. */

import { bytesToHex } from '../../dist/protocol/index.js';

const RUNTIME = [
  '5f', // the position in the call data: 0
  '5b', // begin:
  '80361115601f57', // past the end of the call data: go to end
  '80604001358160200135', // third and second topic
  '8235', // first topic
  '60205fa3', // LOG3 with 32 bytes of empty memory as data
  '606001600156', // the next 96 bytes: go to begin
  '5b00', // end:
].join('');

const SIZE = (RUNTIME.length / 2).toString(16);

/** Code that creates the contract, without `0x`. */
export const EMITTER_CODE = `60${SIZE}600c60003960${SIZE}6000f3${RUNTIME}`;

/** Call data for logs with three topics each, without `0x`. */
export function emitterData(logs) {
  return logs.map((topics) => topics.map(bytesToHex).join('')).join('');
}
