import { BoundedMap } from '../../caching/bounded-map.ts';
import { type Address, bytesToHex, keccak256 } from '../../protocol/index.ts';
import type { Artifact } from './artifact.ts';
import { matchOfCreation, matchOfRuntime } from './code-pattern.ts';
import type { InterfaceEntry } from './contract-interface.ts';

/** Contracts whose interfaces a node stores; the oldest ones are removed beyond it. */
export const ARTIFACTS_MAX = 4_096;
/** Total bytes of interfaces, codes and source maps (128 MiB); the oldest ones are removed beyond it. */
const ARTIFACT_BYTES_MAX = 128 * 1024 * 1024;
/** Codes whose contract is cached. */
const ARTIFACT_CODES_MAX = 4_096;
/** Newest artifacts of one name whose contracts are searched. */
const ARTIFACT_NAMESAKES_MAX = 16;

/** Returns true for the code of an artifact. Metadata, libraries and immutable values may differ. */
export function isCodeOf({ runtime }: Artifact, code: Uint8Array): boolean {
  return runtime !== undefined && typeof matchOfRuntime(runtime, code) === 'string';
}

/** The known artifacts. At the bound the oldest are evicted. */
export class ArtifactRegistry {
  /** By origin and name: a new compilation replaces the previous one. */
  readonly #artifacts = new Map<string, Artifact>();
  readonly #byAddress = new BoundedMap<string, Artifact>(ARTIFACT_BYTES_MAX, ({ size }) => size);
  /** Artifacts by code hash; undefined for a code without one. */
  readonly #byCode = new BoundedMap<string, { readonly artifact: Artifact | undefined }>(ARTIFACT_CODES_MAX);
  #functions: ReadonlyMap<string, InterfaceEntry> | undefined;
  #errors: ReadonlyMap<string, InterfaceEntry> | undefined;
  #bytes = 0;

  get size(): number {
    return this.#artifacts.size;
  }

  /** Adds the artifacts of an origin, such as a file path. @param address of the contract, with any code */
  add(origin: string, artifacts: readonly Artifact[], address?: Address): void {
    for (const artifact of artifacts) {
      this.#remove(`${origin}\n${artifact.path ?? ''}\n${artifact.name}`);
      this.#artifacts.set(`${origin}\n${artifact.path ?? ''}\n${artifact.name}`, artifact);
      this.#bytes += artifact.size;
      if (address !== undefined) this.#byAddress.set(bytesToHex(address), artifact);
    }
    for (const key of this.#artifacts.keys()) {
      if (this.#artifacts.size <= ARTIFACTS_MAX && this.#bytes <= ARTIFACT_BYTES_MAX) break;
      this.#remove(key);
    }
    this.#clearCaches();
  }

  removeOrigin(origin: string): void {
    for (const key of [...this.#artifacts.keys()]) if (key.startsWith(`${origin}\n`)) this.#remove(key);
    this.#clearCaches();
  }

  /** Returns the artifact of a contract: that added for its address, else that of its code. */
  contractAt(address: Address, code: Uint8Array): Artifact | undefined {
    return this.#byAddress.get(bytesToHex(address)) ?? this.ofCode(code);
  }

  /**
   * Returns a predicate for contracts of a name (case-insensitive), by address or code as in `contractAt`; undefined
   * for an unknown name.
   */
  contractsNamed(name: string): ((address: Address, code: Uint8Array) => boolean) | undefined {
    const wanted = name.toLowerCase();
    const isNamed = (artifact: Artifact): boolean => artifact.name.toLowerCase() === wanted;
    const namesakes = [...this.#artifacts.values()].filter(isNamed).slice(-ARTIFACT_NAMESAKES_MAX);
    if (namesakes.length === 0) return undefined;
    return (address, code) => {
      const given = this.#byAddress.get(bytesToHex(address));
      return given === undefined ? namesakes.some((artifact) => isCodeOf(artifact, code)) : isNamed(given);
    };
  }

  /** Returns the newest artifacts of a name. */
  named(name: string): Artifact[] {
    return [...this.#artifacts.values()]
      .filter((artifact) => artifact.name === name)
      .slice(-ARTIFACT_NAMESAKES_MAX);
  }

  /** Returns the artifact of a code. Metadata, libraries and immutable values may differ. */
  ofCode(code: Uint8Array): Artifact | undefined {
    return this.#cached('runtime', code, (artifact) => isCodeOf(artifact, code));
  }

  /** Returns the artifact whose creation code is the prefix of an input. */
  ofCreation(input: Uint8Array): Artifact | undefined {
    return this.#cached(
      'creation',
      input,
      ({ creation }) => creation !== undefined && typeof matchOfCreation(creation, input) === 'string',
    );
  }

  /** Returns a function of any artifact, for a contract without one. */
  functionOf(selector: string): InterfaceEntry | undefined {
    this.#functions ??= this.#entries(({ interface: { functions } }) => functions);
    return this.#functions.get(selector);
  }

  /** Returns an error of any artifact, since contracts forward the errors of others. */
  errorOf(selector: string): InterfaceEntry | undefined {
    this.#errors ??= this.#entries(({ interface: { errors } }) => errors);
    return this.#errors.get(selector);
  }

  #cached(kind: string, code: Uint8Array, isMatch: (artifact: Artifact) => boolean): Artifact | undefined {
    if (code.length === 0 || this.#artifacts.size === 0) return undefined;
    const key = `${kind}${bytesToHex(keccak256(code))}`;
    const known = this.#byCode.get(key);
    if (known !== undefined) return known.artifact;
    let artifact: Artifact | undefined;
    for (const candidate of this.#artifacts.values()) {
      if (!isMatch(candidate)) continue;
      artifact = candidate;
      // An artifact with a source map is preferred.
      if (candidate.runtimeMap !== undefined) break;
    }
    this.#byCode.set(key, { artifact });
    return artifact;
  }

  #entries(
    of: (artifact: Artifact) => ReadonlyMap<string, InterfaceEntry>,
  ): ReadonlyMap<string, InterfaceEntry> {
    const found = new Map<string, InterfaceEntry>();
    for (const artifact of this.#artifacts.values()) {
      for (const [selector, described] of of(artifact)) found.set(selector, described);
    }
    return found;
  }

  #remove(key: string): void {
    const artifact = this.#artifacts.get(key);
    if (artifact === undefined) return;
    this.#artifacts.delete(key);
    this.#bytes -= artifact.size;
  }

  #clearCaches(): void {
    this.#byCode.clear();
    this.#functions = undefined;
    this.#errors = undefined;
  }
}
