/** Adds the logging of its execution to a Wasm module, for tests that compare two executions. */

import binaryen from 'assemblyscript/binaryen';

/**
 * Returns a module that calls its host (`env`) for every block that it enters and every access to memory, by the passes
 * `log-execution` and `instrument-memory` of Binaryen.
 *
 * @param {Uint8Array} bytes
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function logExecution(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(binaryen.Features.All);
  module.runPasses(['instrument-memory', 'log-execution']);
  const logging = module.emitBinary();
  module.dispose();
  return new Uint8Array(logging);
}
