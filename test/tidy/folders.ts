import { importsOf } from './imports.ts';
import type { Problem, Source } from './source.ts';

/** The folders of `src/`, the highest first. An import points down this list. */
const FOLDERS = [
  'library',
  'cli',
  'node',
  'processes',
  'server',
  'page',
  'rpc',
  'scheduling',
  'contracts',
  'formatters',
  'wallet',
  'native',
  'fork',
  'ledger',
  'evm',
  'store',
  'protocol',
  'solidity',
];

/** Folders that may import only some of the lower ones; the explorer counts as a folder. */
const ALLOWED_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  rpc: ['scheduling', 'formatters', 'contracts', 'wallet', 'fork', 'ledger', 'protocol'],
  formatters: ['ledger', 'protocol', 'solidity'],
  contracts: ['formatters', 'ledger', 'protocol', 'solidity'],
  page: ['protocol'],
  scheduling: ['protocol'],
  native: ['protocol'],
  fork: ['ledger', 'evm', 'store', 'protocol'],
  evm: ['protocol'],
  explorer: ['solidity'],
  protocol: [],
};

/** Folders of which another folder may import only types. */
const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = {
  rpc: ['fork'],
  formatters: ['ledger'],
  contracts: ['ledger'],
};

/** The lowest folders: all others may import each of their files, as those directly in `src/`. */
const FOUNDATIONS: ReadonlySet<string> = new Set(['caching', 'files', 'json', 'time']);

/** Folders that also run in a browser: they may not import the foundations, which need Node.js. */
const IN_BROWSERS: ReadonlySet<string> = new Set(['explorer', 'solidity']);

/** Finds imports that point up the list of folders, or enter another folder by anything but its `index.ts`. */
export function checkFolders(sources: readonly Source[]): readonly Problem[] {
  return importsOf(sources).flatMap(({ from, to, line, isType }) => {
    const [folder, target] = [folderOf(from), folderOf(to)];
    if (folder === target) return [];
    const problem = (message: string): Problem => ({ rule: 'folders', path: from, line, message });
    if (folder === undefined) return isFoundation(from) ? [problem(`may not import from ${target}`)] : [];
    if (target === undefined)
      return IN_BROWSERS.has(folder) ? [problem(`${folder} may not import ${to}`)] : [];
    if (!allowedFolders(folder).includes(target)) return [problem(`${folder} may not import from ${target}`)];
    if (TYPES_ONLY[folder]?.includes(target) === true && !isType) {
      return [problem(`${folder} may import only types from ${target}`)];
    }
    return isInterface(from, to) ? [] : [problem(`enters ${target} by ${to}, not by its index.ts`)];
  });
}

/** Returns the folder of a file; undefined for foundations, such as `src/time/time.ts`. */
function folderOf(path: string): string | undefined {
  const [top, folder = ''] = path.split('/');
  if (top === 'explorer') return top;
  return top === 'src' && !isFoundation(path) ? folder : undefined;
}

/** Returns true for a file that all folders may import. */
function isFoundation(path: string): boolean {
  const [top, folder = '', ...rest] = path.split('/');
  return top === 'src' && (rest.length === 0 || FOUNDATIONS.has(folder));
}

function allowedFolders(folder: string): readonly string[] {
  const position = FOLDERS.indexOf(folder);
  return ALLOWED_FOLDERS[folder] ?? (position < 0 ? [] : FOLDERS.slice(position + 1));
}

/**
 * AssemblyScript of one folder may import that of another, since both are compiled into one module. Tests may import
 * the `*.testing.ts` files of other folders.
 */
function isInterface(from: string, to: string): boolean {
  const isBothAssembly = [from, to].every((path) => path.split('/')[2] === 'assembly');
  const isForTests = /\.test(ing)?\.ts$/.test(from) && to.endsWith('.testing.ts');
  return isBothAssembly || isForTests || to === `src/${folderOf(to)}/index.ts`;
}

/** Finds import cycles, each once. */
export function checkCycles(sources: readonly Source[]): readonly Problem[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of importsOf(sources)) targets.set(from, [...(targets.get(from) ?? []), to]);
  const problems: Problem[] = [];
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const position = trail.indexOf(path);
    if (position >= 0) {
      const circle = [...trail.slice(position), path].join(' > ');
      problems.push({ rule: 'cycles', path, line: 0, message: `imports itself: ${circle}` });
      return;
    }
    if (finished.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return problems;
}
