import { importsOf } from './imports.ts';
import { isAssembly, isProgram, isTest, type Problem, type Source } from './source.ts';

/** Files that are started by path: the program, and the inputs of build scripts. */
const ENTRIES = new Set([
  'explorer/src/main.tsx',
  'src/evm/assembly/index.ts',
  'src/evm/assembly/precompiles.ts',
  'src/evm/assembly/run.template.ts',
  'src/evm/assembly/word-exports.ts',
  'src/library/program.ts',
  'src/processes/blob-worker.ts',
  'src/processes/query-worker.ts',
  'src/processes/signature-worker.ts',
  'src/protocol/assembly/ed25519/index.ts',
  'src/protocol/assembly/ed25519/part-exports.ts',
  'src/protocol/assembly/index.ts',
]);

/** Finds sources that nothing in the program imports, and test material that no test imports. */
export function checkReach(sources: readonly Source[]): readonly Problem[] {
  const imports = importsOf(sources);
  const byProgram = new Set(imports.filter(({ from }) => !isTest({ path: from })).map(({ to }) => to));
  const byAnyone = new Set(imports.map(({ to }) => to));
  return sources.flatMap((source) => {
    const { path } = source;
    if (ENTRIES.has(path) || /^src\/[^/]+\/index\.ts$/.test(path)) return [];
    const users = isProgram(source) || isAssembly(source) ? byProgram : byAnyone;
    const isMaterial = /\.testing\.ts$/.test(path);
    if (!isProgram(source) && !isAssembly(source) && !isMaterial) return [];
    return users.has(path) ? [] : [{ rule: 'reach', path, line: 0, message: 'nothing imports it' }];
  });
}
