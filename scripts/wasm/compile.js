/**
 * A process that compiles AssemblyScript modules, one after the other: loading the compiler takes longer than most of
 * them. Each message has the compiler's arguments; the reply has its output, and whether it has compiled.
 */

import { createMemoryStream, main } from 'assemblyscript/asc';

process.on('message', async (parameters) => {
  const output = createMemoryStream();
  const { error } = await main(/** @type {string[]} */ (parameters), { stdout: output, stderr: output });
  process.send?.({ isCompiled: error === null, text: `${output}${error?.message ?? ''}` });
});
