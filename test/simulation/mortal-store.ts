import type { BlockCommit, Store } from '../../src/store/index.ts';
import type { Process } from './process.ts';

export interface MortalStoreOptions {
  readonly store: Store;
  readonly process: Process;
  /** Called with each block before it is stored. */
  onCommit(commit: BlockCommit): void;
  /** True to report every operation as not included. */
  readonly forgetsOperations: boolean;
}

/** Methods that write; a process may end between any two writes. */
const WRITES: ReadonlySet<PropertyKey> = new Set<keyof Store>([
  'commitBlock',
  'addPending',
  'removePending',
  'revertBlocks',
  'commitPatch',
  'inOneCommit',
]);

/** A store as a process sees it that may die with each write, before it or after. */
export function mortalStore({ store, process, onCommit, forgetsOperations }: MortalStoreOptions): Store {
  const members = new Map<PropertyKey, unknown>();
  const memberOf = (name: PropertyKey): unknown => {
    const member: unknown = Reflect.get(store, name, store);
    if (typeof member !== 'function') return member;
    if (name === 'operationPositions' && forgetsOperations) return () => [];
    if (!WRITES.has(name)) return member.bind(store);
    return (...parameters: unknown[]) =>
      process.step(() => {
        if (name === 'commitBlock') onCommit(parameters[0] as BlockCommit); // as `Store.commitBlock` has it
        return Reflect.apply(member, store, parameters);
      });
  };
  return new Proxy(store, {
    get: (_store, name) => {
      const known = members.get(name);
      if (known !== undefined) return known;
      const member = memberOf(name);
      if (typeof member === 'function') members.set(name, member);
      return member;
    },
  });
}
