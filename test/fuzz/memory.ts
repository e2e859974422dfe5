import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Bytes of JavaScript objects, after everything that nobody uses was thrown away. */
export function memoryInUse(): number {
  if (typeof collect !== 'function') throw new TypeError('there is no way to collect garbage');
  collect();
  return process.memoryUsage().heapUsed;
}
