/**
 * The JavaScript interface of WebAssembly that the program uses, a global of Node.js. Its types are only in the
 * browser's library of TypeScript, which would declare the whole DOM.
 *
 * Source: WebAssembly JavaScript Interface, sections 5.2 to 5.4.
 */
declare namespace WebAssembly {
  type ImportValue = ((...parameters: never[]) => unknown) | Memory | number | bigint;
  type Imports = Record<string, Record<string, ImportValue>>;

  /** A compiled module. The constructor throws a CompileError for an invalid module. */
  class Module {
    constructor(bytes: Uint8Array);
  }

  /** A module with its imports and its memory. */
  class Instance {
    readonly exports: Record<string, unknown>;
    constructor(module: Module, imports?: Imports);
  }

  /** A linear memory, sized in pages of 64 KiB. Growing one that is not shared detaches `buffer`. */
  class Memory {
    readonly buffer: ArrayBuffer;
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
    grow(pages: number): number;
  }

  class RuntimeError extends Error {}
}
