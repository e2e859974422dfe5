import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text file of the project. */
export interface Source {
  /** Path from the project's folder, with `/` between its parts. */
  readonly path: string;
  readonly text: string;
}

/** A violation that a check found. */
export interface Problem {
  readonly rule: string;
  readonly path: string;
  /** Line, counted from 1; 0 when the whole file is meant. */
  readonly line: number;
  readonly message: string;
}

/** Folders of installed or built files. */
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'build', 'coverage', '.git']);

/** Names of text files that people write. */
const TEXT_ENDINGS =
  /\.(tsx?|js|vue|json|md|sol|yml|yaml|toml|sh|html|css)$|^\.ci\/|(^|\/)(LICENSE|Dockerfile)$/;

/** Reads every text file that people write, ordered by path. */
export function readSources(root: string): readonly Source[] {
  return pathsBelow(root, '')
    .filter((path) => TEXT_ENDINGS.test(path) && path !== 'package-lock.json')
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function pathsBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : pathsBelow(root, path);
    return entry.isFile() ? [path] : [];
  });
}

/** Returns true for a source of the program: not a test, not AssemblyScript. */
export function isProgram({ path }: Source): boolean {
  return /^(explorer\/)?src\//.test(path) && isTypeScript({ path }) && !isTest({ path });
}

/** Returns true for TypeScript that Node.js runs, tests included. */
export function isTypeScript({ path }: { readonly path: string }): boolean {
  return /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !isAssembly({ path });
}

/** Returns true for tests and files that only tests use. */
export function isTest({ path }: { readonly path: string }): boolean {
  return path.startsWith('test/') || /\.(test|testing)\.ts$/.test(path) || path.endsWith('.config.ts');
}

/** Returns true for AssemblyScript. */
export function isAssembly({ path }: { readonly path: string }): boolean {
  return /^src\/[^/]+\/assembly\/.*\.ts$/.test(path);
}
