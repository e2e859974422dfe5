import { posix } from 'node:path';
import { importsOf } from './imports.ts';
import { isAssembly, isTest, isTypeScript, type Problem, type Source } from './source.ts';
import { isNode, nameOf, parseSource, type SyntaxNode, walk } from './syntax.ts';

/**
 * The parts of the large folders, the highest first: sub-folders, and files with a position in the order; `.` stands
 * for all other files directly in the folder. An import points down the list.
 */
const SUB_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  node: [
    'test-node.ts',
    'node.ts',
    'service.ts',
    'description.ts',
    'maintenance',
    'archive',
    'state-dump',
    'test-chain',
    'runtime.ts',
    'production-blockers.ts',
    'initialize.ts',
    'fork',
    'configuration.ts',
    'block-log',
    'following',
    'keys',
    '.',
  ],
  server: [
    'server.ts',
    'websocket',
    'ipc',
    'http',
    'chain-routes.ts',
    'routes.ts',
    'verification',
    '.',
    'metrics',
  ],
  rpc: [
    'dispatch',
    'openrpc',
    'feeds',
    'registries.ts',
    'native',
    'ethereum',
    'methods',
    'tracing',
    'standards',
    'profiles',
    'transactions',
    'method.ts',
    'fork',
    'method-context.ts',
    'response-cache',
    'logs',
    'blocks',
    'workers',
    'description',
    'parameters',
    'context',
    'messages',
    'json',
    'rpc-errors.ts',
  ],
  ledger: [
    'verification',
    'registration',
    '.',
    'pool',
    'queries',
    'traces',
    'calls',
    'patches',
    'blocks',
    'core.ts',
    'genesis',
    'transactions',
    'operations',
    'authorities',
    'state',
    'chain',
    'errors',
    'listeners.ts',
    'job.ts',
  ],
  evm: ['tracers', 'engine', 'precompiles', '.'],
  store: [
    '.',
    'writing',
    'reading',
    'undo',
    'logs',
    'file',
    'store.ts',
    'store-options.ts',
    'operations.ts',
    'tables',
    'store-error.ts',
  ],
  protocol: [
    'blocks',
    'transactions',
    'operations',
    'trie',
    'ethereum',
    'objects',
    'keys',
    'curves',
    'hashing',
    'codec',
    'bytes',
    '.',
  ],
};

/** Finds imports between the parts of a folder that point up; tests are exempt. */
export function checkSubFolders(sources: readonly Source[]): readonly Problem[] {
  return importsOf(sources).flatMap(({ from, to, line }) => {
    const folder = folderOf(from);
    const parts = SUB_FOLDERS[folder];
    if (parts === undefined || folderOf(to) !== folder || isAssembly({ path: to })) return [];
    if (isTest({ path: from }) || isTopInterface(from)) return [];
    const message = brokenRule(parts, from, to);
    return message === undefined ? [] : [{ rule: 'sub-folders', path: from, line, message }];
  });
}

/** Returns the violation of an import; undefined if it is allowed. */
function brokenRule(parts: readonly string[], from: string, to: string): string | undefined {
  if (isTopInterface(to)) return 'imports the interface of its own folder';
  const [part, target] = [partOf(parts, from), partOf(parts, to)];
  const [place, targetPlace] = [parts.indexOf(part), parts.indexOf(target)];
  if (place < 0) return `${part} is not in the list of parts`;
  return targetPlace < place ? `${part} may not import from ${target}` : undefined;
}

/** Finds names that the `index.ts` of a large folder or of a part exports and nothing outside imports. */
export function checkInterfaces(sources: readonly Source[]): readonly Problem[] {
  const interfaces = sources.filter(({ path }) => isInterface(path));
  const used = namesTaken(sources);
  const scripts = sources.filter(({ path }) => path.endsWith('.js'));
  const isMentioned = (name: string): boolean =>
    scripts.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text));
  return interfaces.flatMap(({ path, text }) =>
    namesGiven({ path, text })
      .filter((name) => used.get(path)?.has(name) !== true && !(isTopInterface(path) && isMentioned(name)))
      .map((name) => ({ rule: 'interfaces', path, line: 0, message: `nothing outside imports ${name}` })),
  );
}

/** Collects the names that files outside of each folder import by its `index.ts`. */
function namesTaken(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const taken = new Map<string, Set<string>>();
  for (const source of sources.filter(isTypeScript)) {
    walk(parseSource(source).program, (node) => {
      const target = isNode(node.source) && typeof node.source.value === 'string' ? node.source.value : '';
      const exporting = posix.join(posix.dirname(source.path), target);
      if (!target.startsWith('.') || source.path.startsWith(`${posix.dirname(exporting)}/`)) return;
      const names = specifiersOf(node).map(
        (specifier) => nameOf(specifier.imported ?? specifier.local) ?? '',
      );
      taken.set(exporting, new Set([...(taken.get(exporting) ?? []), ...names]));
    });
  }
  return taken;
}

/** Lists the names that an `index.ts` exports. */
function namesGiven(exporting: Source): string[] {
  const names: string[] = [];
  walk(parseSource(exporting).program, (node) => {
    if (node.type !== 'ExportNamedDeclaration') return;
    names.push(...specifiersOf(node).map((specifier) => nameOf(specifier.exported) ?? ''));
  });
  return names;
}

function specifiersOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
}

function folderOf(path: string): string {
  return path.startsWith('src/') ? (path.split('/')[1] ?? '') : '';
}

/** Returns the part of its folder that a file belongs to, as the list names it. */
function partOf(parts: readonly string[], path: string): string {
  const [, , name = '', ...rest] = path.split('/');
  return rest.length > 0 || parts.includes(name) ? name : '.';
}

function isTopInterface(path: string): boolean {
  return path === `src/${folderOf(path)}/index.ts`;
}

function isInterface(path: string): boolean {
  return SUB_FOLDERS[folderOf(path)] !== undefined && path.endsWith('/index.ts') && !isAssembly({ path });
}
