import { importsOf } from './imports.ts';
import type { Problem, Source } from './source.ts';

/** The rooms of `src/`, the highest first. An import points down this list. */
const ROOMS = [
  'library',
  'cli',
  'node',
  'processes',
  'server',
  'page',
  'rpc',
  'scheduling',
  'contracts',
  'view',
  'wallet',
  'native',
  'ledger',
  'evm',
  'store',
  'protocol',
  'solidity',
];

/** Rooms that know less than all that lies below them; the explorer is a room of its own. */
const KNOWN_ROOMS: Readonly<Record<string, readonly string[]>> = {
  rpc: ['scheduling', 'view', 'contracts', 'wallet', 'ledger', 'protocol'],
  view: ['ledger', 'protocol', 'solidity'],
  contracts: ['view', 'ledger', 'protocol', 'solidity'],
  page: ['protocol'],
  scheduling: ['protocol'],
  native: ['protocol'],
  evm: ['protocol'],
  explorer: ['solidity'],
  protocol: [],
};

/** Rooms of which a room may know the types and nothing that runs. */
const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = { view: ['ledger'], contracts: ['ledger'] };

/** What runs in a browser too: it may not import the files outside of the rooms, which know Node.js. */
const IN_BROWSERS: ReadonlySet<string> = new Set(['explorer', 'solidity']);

/** Imports that point up the list of rooms, or that enter another room by anything but its door. */
export function checkRooms(sources: readonly Source[]): readonly Problem[] {
  return importsOf(sources).flatMap(({ from, to, line, isType }) => {
    const [room, target] = [roomOf(from), roomOf(to)];
    if (room === undefined || room === target) return [];
    const problem = (message: string): Problem => ({ rule: 'rooms', path: from, line, message });
    if (target === undefined) return IN_BROWSERS.has(room) ? [problem(`${room} may not import ${to}`)] : [];
    if (!knownRooms(room).includes(target)) return [problem(`${room} may not import from ${target}`)];
    if (TYPES_ONLY[room]?.includes(target) === true && !isType) {
      return [problem(`${room} may import only types from ${target}`)];
    }
    return isDoor(from, to) ? [] : [problem(`enters ${target} by ${to}, not by its index.ts`)];
  });
}

/** The room that a file lies in; undefined for files outside of the rooms, such as `src/limits.ts`. */
export function roomOf(path: string): string | undefined {
  const [top, room, ...rest] = path.split('/');
  if (top === 'explorer') return top;
  return top === 'src' && rest.length > 0 ? room : undefined;
}

function knownRooms(room: string): readonly string[] {
  const position = ROOMS.indexOf(room);
  return KNOWN_ROOMS[room] ?? (position < 0 ? [] : ROOMS.slice(position + 1));
}

/**
 * AssemblyScript of one room may use that of another: it is compiled into one module. Tests may use what another room
 * has for its tests.
 */
function isDoor(from: string, to: string): boolean {
  const isBothAssembly = [from, to].every((path) => path.split('/')[2] === 'assembly');
  const isForTests = /\.test(ing)?\.ts$/.test(from) && to.endsWith('.testing.ts');
  return isBothAssembly || isForTests || to === `src/${roomOf(to)}/index.ts`;
}

/** Files that import each other in a circle, each circle once. */
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
