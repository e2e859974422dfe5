import { AbiError } from '../../solidity/index.ts';
import { type CodePattern, codePatternOf } from './code-pattern.ts';
import { type ContractInterface, readInterface } from './contract-interface.ts';
import { ArtifactError, type JsonValue, nameInError } from './json-parts.ts';

/** A source file of a compilation. Its text and its tree are read again for each request. */
export interface Source {
  /** The name that the compiler got. */
  readonly name: string;
  /** The path in the project, or behind the name of a package. */
  readonly path: string;
  /** Returns the text; undefined if it is unknown, or not the one that was compiled. */
  text(): string | undefined;
  /** Returns the syntax tree; undefined for an unknown one. */
  ast(): unknown;
}

/** A run of a compiler. */
export interface Compilation {
  /** Returns the version with commit, such as `0.8.30+commit.73712a01`. */
  compiler(): string | undefined;
  /** Returns the settings of the input. */
  settings(): unknown;
  /** Returns the sources by the compiler's numbers, which are those of this compilation only. */
  sources(): ReadonlyMap<number, Source>;
}

/** Positions of instructions in their sources. */
export interface SourceMap {
  /** Entries by instruction, in Solidity's compressed form. */
  readonly entries: string;
  readonly compilation: Compilation;
}

/** Parts of the compiler's output for a contract, which are read again for each request. */
const OUTPUTS = {
  /** JSON as text, of which the code contains the hash. */
  metadata: ['metadata'],
  storageLayout: ['storageLayout'],
  transientStorageLayout: ['transientStorageLayout'],
  userdoc: ['userdoc'],
  devdoc: ['devdoc'],
  linkReferences: ['bytecode', 'linkReferences'],
  deployedLinkReferences: ['deployedBytecode', 'linkReferences'],
  immutableReferences: ['deployedBytecode', 'immutableReferences'],
  generatedSources: ['bytecode', 'generatedSources'],
  deployedGeneratedSources: ['deployedBytecode', 'generatedSources'],
} as const;

export type OutputName = keyof typeof OUTPUTS;

/** The compiled form of a contract. */
export interface Artifact {
  readonly name: string;
  readonly path: string | undefined;
  readonly interface: ContractInterface;
  /** The ABI as JSON text. */
  readonly abiText: string;
  readonly creation: CodePattern | undefined;
  readonly runtime: CodePattern | undefined;
  readonly creationMap: SourceMap | undefined;
  readonly runtimeMap: SourceMap | undefined;
  readonly compilation: Compilation | undefined;
  /** Returns the text of the source with the contract; undefined for an unknown one. */
  sourceText(this: void): string | undefined;
  /** Reads a part of the compiler's output; undefined if the compiler or the tool did not write it. */
  output(this: void, name: OutputName): unknown;
  /** Estimated bytes in memory. */
  readonly size: number;
}

interface ArtifactFields
  extends Pick<Artifact, 'name'>,
    Partial<Pick<Artifact, 'path' | 'compilation' | 'output'>> {
  readonly abi: unknown;
  /** Hexadecimal code. */
  readonly creation?: unknown;
  readonly runtime?: unknown;
  /** Entries of source maps. */
  readonly creationEntries?: unknown;
  readonly runtimeEntries?: unknown;
}

/** Estimated bytes of an entry of an interface in memory. */
const ENTRY_BYTES = 512;
/** Characters of the name of a contract and of its source; an artifact with a longer one is refused. */
const ARTIFACT_NAME_CHARACTERS_MAX = 512;

/** Creates an artifact. @throws ArtifactError for a malformed ABI, and for long names */
export function artifactOf(given: ArtifactFields): Artifact {
  const { name, path, abi, compilation, output = () => undefined } = given;
  try {
    const described = readInterface(abi);
    if (Math.max(name.length, path?.length ?? 0) > ARTIFACT_NAME_CHARACTERS_MAX) {
      throw new AbiError('', `the name or path has more than ${ARTIFACT_NAME_CHARACTERS_MAX} characters`);
    }
    const creation = codePatternOf(given.creation, {
      immutableReferences: {},
      linkReferences: output('linkReferences'),
    });
    const runtime = codePatternOf(given.runtime, {
      immutableReferences: output('immutableReferences'),
      linkReferences: output('deployedLinkReferences'),
    });
    const mapOf = (entries: unknown): SourceMap | undefined =>
      typeof entries === 'string' && entries !== '' && compilation ? { entries, compilation } : undefined;
    const [creationMap, runtimeMap] = [mapOf(given.creationEntries), mapOf(given.runtimeEntries)];
    const sourceText = (): string | undefined => {
      for (const source of compilation?.sources().values() ?? [])
        if (source.path === path) return source.text();
      return undefined;
    };
    const abiText = JSON.stringify(abi);
    const entries = described.functions.size + described.errors.size;
    const code = (creation?.bytes.length ?? 0) + (runtime?.bytes.length ?? 0);
    const maps = (creationMap?.entries.length ?? 0) + (runtimeMap?.entries.length ?? 0);
    const size = ENTRY_BYTES * (1 + entries) + code + maps + abiText.length;
    const codes = { creation, runtime, creationMap, runtimeMap };
    return { name, path, interface: described, abiText, ...codes, compilation, sourceText, output, size };
  } catch (error) {
    if (!(error instanceof AbiError)) throw error;
    throw new ArtifactError(`${nameInError(name)}: ${error.message}`);
  }
}

/**
 * Returns the fields of an artifact that the JSON of a compiler or a tool contains.
 *
 * @param code contains the codes
 */
export function compiledFields(
  contract: JsonValue,
  code: JsonValue | undefined,
): Omit<ArtifactFields, 'name' | 'path' | 'compilation'> {
  const codeIn = (name: string): unknown => (code?.at(name, 'object') ?? code?.at(name))?.value();
  return {
    abi: contract.at('abi')?.value(),
    creation: codeIn('bytecode'),
    runtime: codeIn('deployedBytecode'),
    creationEntries: code?.at('bytecode', 'sourceMap')?.value(),
    runtimeEntries: code?.at('deployedBytecode', 'sourceMap')?.value(),
    // Hardhat writes references beside the code, Foundry the metadata as text under another name.
    output: (name) =>
      (
        (name === 'metadata' ? contract.at('rawMetadata') : undefined) ??
        contract.at(name) ??
        code?.at(...OUTPUTS[name])
      )?.value(),
  };
}
