import { posix } from 'node:path';
import { importsOf } from './imports.ts';
import { isAssembly, isTest, isTypeScript, type Problem, type Source } from './source.ts';
import { isNode, nameOf, parseSource, type SyntaxNode, walk } from './syntax.ts';

/**
 * What the large rooms are made of, the highest first: folders, and files of the room itself where they have a place of
 * their own; `.` are its other files. An import points down the list.
 */
const SUB_ROOMS: Readonly<Record<string, readonly string[]>> = {
  node: [
    'test-node.ts',
    'node.ts',
    'service.ts',
    'description.ts',
    'maintenance',
    'archive',
    'test-chain',
    'runtime.ts',
    'production-blockers.ts',
    'initialize.ts',
    'configuration.ts',
    'block-log',
    'following',
    'keys',
    '.',
  ],
  server: ['server.ts', 'websocket', 'http', '.', 'metrics'],
  rpc: [
    'dispatch',
    'openrpc',
    'feeds',
    'registries.ts',
    'ethereum',
    'methods',
    'tracing',
    'profiles',
    'transactions',
    'method.ts',
    'method-context.ts',
    'response-cache',
    'logs',
    'blocks',
    'workers',
    'description',
    'parameters',
    'context',
    'envelope',
    'json',
    'memory',
    'errors.ts',
  ],
  ledger: [
    'verification',
    'registration',
    '.',
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
    'steps.ts',
    'work-slices.ts',
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
    'errors.ts',
  ],
  protocol: [
    'blocks',
    'transactions',
    'operations',
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

/** Imports between the parts of a room that point up; a test may use all that tests are written with. */
export function checkSubRooms(sources: readonly Source[]): readonly Problem[] {
  return importsOf(sources).flatMap(({ from, to, line }) => {
    const room = roomOf(from);
    const parts = SUB_ROOMS[room];
    if (parts === undefined || roomOf(to) !== room || isAssembly({ path: to })) return [];
    if (isTest({ path: from }) || isRoomDoor(from)) return [];
    const message = brokenRule(parts, from, to);
    return message === undefined ? [] : [{ rule: 'sub-rooms', path: from, line, message }];
  });
}

/** What the import of a program's source breaks. */
function brokenRule(parts: readonly string[], from: string, to: string): string | undefined {
  if (isRoomDoor(to)) return 'imports what its own room shows to others';
  const [part, target] = [partOf(parts, from), partOf(parts, to)];
  const [place, targetPlace] = [parts.indexOf(part), parts.indexOf(target)];
  if (place < 0) return `${part} has no place among the parts of its room`;
  return targetPlace < place ? `${part} may not import from ${target}` : undefined;
}

/** Names that the door of a room with parts, or of a part, hands out and that nothing outside of it imports. */
export function checkDoors(sources: readonly Source[]): readonly Problem[] {
  const doors = sources.filter(({ path }) => isDoor(path));
  const used = namesTaken(sources);
  const scripts = sources.filter(({ path }) => path.endsWith('.js'));
  const isMentioned = (name: string): boolean =>
    scripts.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text));
  return doors.flatMap(({ path, text }) =>
    namesGiven({ path, text })
      .filter((name) => used.get(path)?.has(name) !== true && !(isRoomDoor(path) && isMentioned(name)))
      .map((name) => ({ rule: 'doors', path, line: 0, message: `nothing outside imports ${name}` })),
  );
}

/** The names that files outside of each door's folder import by it. */
function namesTaken(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const taken = new Map<string, Set<string>>();
  for (const source of sources.filter(isTypeScript)) {
    walk(parseSource(source).program, (node) => {
      const target = isNode(node.source) && typeof node.source.value === 'string' ? node.source.value : '';
      const door = posix.join(posix.dirname(source.path), target);
      if (!target.startsWith('.') || source.path.startsWith(`${posix.dirname(door)}/`)) return;
      const names = specifiersOf(node).map(
        (specifier) => nameOf(specifier.imported ?? specifier.local) ?? '',
      );
      taken.set(door, new Set([...(taken.get(door) ?? []), ...names]));
    });
  }
  return taken;
}

/** The names that a door exports. */
function namesGiven(door: Source): string[] {
  const names: string[] = [];
  walk(parseSource(door).program, (node) => {
    if (node.type !== 'ExportNamedDeclaration') return;
    names.push(...specifiersOf(node).map((specifier) => nameOf(specifier.exported) ?? ''));
  });
  return names;
}

function specifiersOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
}

function roomOf(path: string): string {
  return path.startsWith('src/') ? (path.split('/')[1] ?? '') : '';
}

/** The part of its room that a file belongs to, as the list names it. */
function partOf(parts: readonly string[], path: string): string {
  const [, , name = '', ...rest] = path.split('/');
  return rest.length > 0 || parts.includes(name) ? name : '.';
}

function isRoomDoor(path: string): boolean {
  return path === `src/${roomOf(path)}/index.ts`;
}

function isDoor(path: string): boolean {
  return SUB_ROOMS[roomOf(path)] !== undefined && path.endsWith('/index.ts') && !isAssembly({ path });
}
