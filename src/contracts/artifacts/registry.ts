import { BoundedMap } from '../../bounded-map.ts';
import {
  ARTIFACT_BYTES_MAX,
  ARTIFACT_CODES_MAX,
  ARTIFACT_NAMESAKES_MAX,
  ARTIFACTS_MAX,
} from '../../limits.ts';
import { type Address, bytesToHex, keccak256 } from '../../protocol/index.ts';
import { type Described, isCreationOf, isSameCode } from './contract-interface.ts';
import type { Artifact } from './read-artifact.ts';

/** Tests whether code is that of an artifact, but for metadata, libraries and immutable values. */
export function isCodeOf({ runtime }: Artifact, code: Uint8Array): boolean {
  return runtime !== undefined && isSameCode(runtime, code);
}

/** The known artifacts within a bound: the oldest are evicted. */
export class ArtifactRegistry {
  /** By origin and name, so that what is compiled anew takes the place of what was. */
  readonly #artifacts = new Map<string, Artifact>();
  readonly #byAddress = new BoundedMap<string, Artifact>(ARTIFACT_BYTES_MAX, ({ size }) => size);
  /** Artifacts by the hash of a code; undefined where none fits. */
  readonly #found = new BoundedMap<string, { readonly artifact: Artifact | undefined }>(ARTIFACT_CODES_MAX);
  #functions: ReadonlyMap<string, Described> | undefined;
  #errors: ReadonlyMap<string, Described> | undefined;
  #bytes = 0;

  get size(): number {
    return this.#artifacts.size;
  }

  /** Adds the artifacts of an origin, such as the path of a file. @param address of the contract, whatever its code */
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
    this.#forget();
  }

  /** Removes the artifacts of an origin. */
  removeOrigin(origin: string): void {
    for (const key of [...this.#artifacts.keys()]) if (key.startsWith(`${origin}\n`)) this.#remove(key);
    this.#forget();
  }

  /** Returns the artifact of a contract, by its address where it was added for that, else by its code. */
  contractAt(address: Address, code: Uint8Array): Artifact | undefined {
    return this.#byAddress.get(bytesToHex(address)) ?? this.ofCode(code);
  }

  /**
   * Returns a test for contracts of a name in any case, which judges them by their address or their code as
   * `contractAt` does; undefined where no artifact has the name.
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

  /** Returns the artifact of a code, but for metadata, libraries and immutable values. */
  ofCode(code: Uint8Array): Artifact | undefined {
    return this.#remembered('runtime', code, (artifact) => isCodeOf(artifact, code));
  }

  /** Returns the artifact whose creation code begins an input. */
  ofCreation(input: Uint8Array): Artifact | undefined {
    return this.#remembered(
      'creation',
      input,
      ({ creation }) => creation !== undefined && isCreationOf(creation, input),
    );
  }

  /** Returns a function of any contract, for one without an artifact. */
  functionOf(selector: string): Described | undefined {
    this.#functions ??= this.#united(({ interface: { functions } }) => functions);
    return this.#functions.get(selector);
  }

  /** Returns an error of any contract: contracts forward the errors of others. */
  errorOf(selector: string): Described | undefined {
    this.#errors ??= this.#united(({ interface: { errors } }) => errors);
    return this.#errors.get(selector);
  }

  #remembered(kind: string, code: Uint8Array, isIt: (artifact: Artifact) => boolean): Artifact | undefined {
    if (code.length === 0 || this.#artifacts.size === 0) return undefined;
    const key = `${kind}${bytesToHex(keccak256(code))}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known.artifact;
    let artifact: Artifact | undefined;
    for (const candidate of this.#artifacts.values()) {
      if (!isIt(candidate)) continue;
      artifact = candidate;
      // One that knows where code comes from is better than one that does not.
      if (candidate.runtimeMap !== undefined) break;
    }
    this.#found.set(key, { artifact });
    return artifact;
  }

  #united(of: (artifact: Artifact) => ReadonlyMap<string, Described>): ReadonlyMap<string, Described> {
    const found = new Map<string, Described>();
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

  #forget(): void {
    this.#found.clear();
    this.#functions = undefined;
    this.#errors = undefined;
  }
}
