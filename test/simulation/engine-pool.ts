import type { EvmImports, EvmModule } from '../../src/evm/wasm-module.ts';

type EngineModule = typeof import('../../src/evm/wasm-module.ts');
type Instantiate = EngineModule['instantiateEvm'];

interface Instance {
  readonly exports: EvmModule;
  /** The imports of the current user. */
  imports: EvmImports;
}

/**
 * Instances of the engine that are used again by the next process, as an engine is that was cleared. Each has some
 * hundred megabytes of addresses, for which V8 collects all garbage, and processes start often here.
 */
class EnginePool {
  readonly #free = new Map<WebAssembly.Module, Instance[]>();
  /** The running process; undefined without one: engines are not reused then. */
  #user: EngineUser | undefined;

  /** From now on instances are those of a process. */
  enter(user: EngineUser): void {
    this.#user = user;
  }

  /** A process has ended, and its instances are free. */
  release(user: EngineUser): void {
    if (this.#user === user) this.#user = undefined;
    for (const [module, instance] of user.instances.splice(0)) {
      instance.exports.emptyTables();
      this.#free.set(module, [...(this.#free.get(module) ?? []), instance]);
    }
  }

  /** Makes an instance, or takes one that is free. */
  instantiate(module: WebAssembly.Module, imports: EvmImports, make: Instantiate): EvmModule {
    const user = this.#user;
    const instance = this.#free.get(module)?.pop() ?? makeInstance(module, imports, make);
    instance.imports = imports;
    user?.instances.push([module, instance]);
    return instance.exports;
  }
}

/** A process, with the instances that it uses. */
export interface EngineUser {
  readonly instances: [module: WebAssembly.Module, instance: Instance][];
}

function makeInstance(module: WebAssembly.Module, imports: EvmImports, make: Instantiate): Instance {
  const forwarded = Object.fromEntries(
    (Object.keys(imports) as (keyof EvmImports)[]).map((name) => [
      name,
      (...parameters: unknown[]): unknown => Reflect.apply(instance.imports[name], undefined, parameters),
    ]),
  ) as unknown as EvmImports; // every name of the given imports is there
  const instance: Instance = { imports, exports: make(module, forwarded) };
  return instance;
}

/** The one that the simulation's `src/evm/wasm-module.ts` uses. */
export const enginePool = new EnginePool();

/** The module with instances that are used again. */
export function pooled(real: EngineModule): EngineModule {
  return {
    ...real,
    instantiateEvm: (module, imports) => enginePool.instantiate(module, imports, real.instantiateEvm),
  };
}
