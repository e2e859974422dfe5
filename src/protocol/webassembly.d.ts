/**
 * The part of the JavaScript interface of WebAssembly that the program uses. Node has it as a global; the types of Node
 * and of ECMAScript leave it to the browser's library, which would bring in the whole of the DOM.
 *
 * Source: WebAssembly JavaScript Interface, sections 5.2 to 5.4.
 */
declare namespace WebAssembly {
  type ImportValue = ((...parameters: never[]) => unknown) | Memory | number | bigint;
  type Imports = Record<string, Record<string, ImportValue>>;

  /** A compiled module. Compiling throws `CompileError` for bytes that are no module. */
  class Module {
    constructor(bytes: Uint8Array);
  }

  /** A module with its imports and its own memory. */
  class Instance {
    readonly exports: Record<string, unknown>;
    constructor(module: Module, imports?: Imports);
  }

  /** A linear memory, sized in pages of 64 KiB. Growing it detaches `buffer`. */
  class Memory {
    readonly buffer: ArrayBuffer;
    constructor(descriptor: { initial: number; maximum?: number });
    grow(pages: number): number;
  }

  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}
}
