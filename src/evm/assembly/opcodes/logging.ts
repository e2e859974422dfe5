/** LOG0 to LOG4. */

import { frame, isStatic } from '../frames';
import { charge, LOG_BYTE } from '../gas';
import { STATIC_VIOLATION } from '../halt';
import { FRAME_ADDRESS } from '../layout';
import { appendLog } from '../logs';
import { expand, windowStart } from '../memory';
import { WORD_BYTES } from '../word';

/** Appends a log: the topmost items are offset and length of the data, then the topics. */
export function log(top: usize, topicCount: u32, gas: i64): i64 {
  if (isStatic()) return -(<i64>STATIC_VIOLATION);
  const offset = top - WORD_BYTES;
  const length = top - 2 * WORD_BYTES;
  const expanded = expand(offset, length, gas);
  if (expanded < 0) return expanded;
  const left = charge(expanded, <i64>(LOG_BYTE * load<u64>(length)));
  if (left < 0) return left;
  const data = windowStart(offset, length);
  appendLog(frame + FRAME_ADDRESS, topicCount, top - 3 * WORD_BYTES, data, <usize>load<u32>(length));
  return left;
}
