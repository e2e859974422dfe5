import { BoundedMap } from '../../bounded-map.ts';
import {
  ARTIFACT_BYTES_MAX,
  ARTIFACT_CODES_MAX,
  ARTIFACT_NAMESAKES_MAX,
  ARTIFACTS_MAX,
} from '../../limits.ts';
import { type Address, bytesToHex, keccak256 } from '../../protocol/index.ts';
import { isCreationOf, isSameCode } from './code-pattern.ts';
import type { Described } from './contract-interface.ts';
import type { Artifact } from './read-artifact.ts';

/** Whether code is that of an artifact, but for metadata, libraries and immutable values. */
export function isCodeOf({ runtime }: Artifact, code: Uint8Array): boolean {
  return runtime !== undefined && isSameCode(runtime, code);
}

/** What is known of contracts, bounded: when there is no more room, what came first goes. */
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

  /**
   * Adds what was read from one origin.
   *
   * @param origin such as the path of a file
   * @param address whose contract it is, whatever its code
   */
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

  /** Takes away what was read from an origin. */
  removeOrigin(origin: string): void {
    for (const key of [...this.#artifacts.keys()]) if (key.startsWith(`${origin}\n`)) this.#remove(key);
    this.#forget();
  }

  /** The artifact of a contract, by its address where it was named for that, else by its code. */
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

  /** The artifact whose code this is, but for metadata, libraries and immutable values. */
  ofCode(code: Uint8Array): Artifact | undefined {
    return this.#remembered('runtime', code, (artifact) => isCodeOf(artifact, code));
  }

  /** The artifact whose creation this input begins. */
  ofCreation(input: Uint8Array): Artifact | undefined {
    return this.#remembered(
      'creation',
      input,
      ({ creation }) => creation !== undefined && isCreationOf(creation, input),
    );
  }

  /** A function of any contract, for one whose own are not known. */
  functionOf(selector: string): Described | undefined {
    this.#functions ??= this.#united(({ interface: { functions } }) => functions);
    return this.#functions.get(selector);
  }

  /** An error of any contract: errors are passed on by those who do not know them. */
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
