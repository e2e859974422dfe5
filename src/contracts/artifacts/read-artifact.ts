import { AbiError } from '../../solidity/index.ts';
import {
  type CodePattern,
  type ContractInterface,
  codePatternOf,
  readInterface,
} from './contract-interface.ts';
import type { SourceMap, SourceText } from './source-lines.ts';

/** The compiled form of a contract. */
export interface Artifact {
  readonly name: string;
  readonly path: string | undefined;
  readonly interface: ContractInterface;
  /** The ABI as JSON text. */
  readonly abiText: string;
  /** Returns the source; undefined for an unknown one. */
  sourceText(this: void): string | undefined;
  readonly creation: CodePattern | undefined;
  readonly runtime: CodePattern | undefined;
  readonly creationMap: SourceMap | undefined;
  readonly runtimeMap: SourceMap | undefined;
  /** Estimated bytes in memory. */
  readonly size: number;
}

/** The error of JSON that is not an artifact of a known kind. */
export class ArtifactError extends Error {}

interface ArtifactFields
  extends Pick<Artifact, 'name'>,
    Partial<Pick<Artifact, 'path' | 'creationMap' | 'runtimeMap'>> {
  readonly abi: unknown;
  /** Hexadecimal code. */
  readonly creation?: unknown;
  readonly runtime?: unknown;
}

/** Estimated bytes of an entry of an interface in memory. */
const ENTRY_BYTES = 512;
/** Maximum characters of a name in an error. */
const SHOWN_NAME_CHARACTERS = 256;

/** Creates an artifact. @throws ArtifactError for a malformed ABI */
export function artifactOf(given: ArtifactFields): Artifact {
  const { name, path, abi, creationMap, runtimeMap } = given;
  const creation = codePatternOf(given.creation);
  const runtime = codePatternOf(given.runtime);
  try {
    const described = readInterface(abi);
    const entries = described.functions.size + described.errors.size;
    const abiText = JSON.stringify(abi);
    const sourceText = (): string | undefined => textOf(path, runtimeMap) ?? textOf(path, creationMap);
    const code = (creation?.bytes.length ?? 0) + (runtime?.bytes.length ?? 0);
    const maps = (creationMap?.entries.length ?? 0) + (runtimeMap?.entries.length ?? 0);
    const size = ENTRY_BYTES * (1 + entries) + code + maps + abiText.length;
    const codes = { creation, runtime, creationMap, runtimeMap };
    return { name, path, interface: described, abiText, sourceText, ...codes, size };
  } catch (error) {
    if (error instanceof AbiError) {
      throw new ArtifactError(`${name.slice(0, SHOWN_NAME_CHARACTERS)}: ${error.message}`);
    }
    throw error;
  }
}

function textOf(path: string | undefined, map: SourceMap | undefined): string | undefined {
  for (const source of map?.sources.values() ?? []) if (source.path === path) return source.text();
  return undefined;
}

/**
 * Reads the input and the output of a compiler, in the form of Hardhat's build-info.
 *
 * @param prefix prefix of the paths of sources, which is removed
 * @throws ArtifactError for anything else
 */
export function artifactsOfCompilation(input: unknown, output: unknown, prefix = ''): Artifact[] {
  const outputSources = fields(fields(output, 'output').sources ?? {}, 'sources');
  const inputSources = fields(fields(input, 'input').sources ?? {}, 'sources');
  const sources = new Map<number, SourceText>();
  let characters = 0;
  for (const [path, source] of Object.entries(outputSources)) {
    const id = fields(source, path).id;
    const content = inputSources[path] === undefined ? undefined : fields(inputSources[path], path).content;
    const text = typeof content === 'string' ? content : undefined;
    characters += text?.length ?? 0;
    if (typeof id === 'number') sources.set(id, { path: withoutPrefix(path, prefix), text: () => text });
  }
  const found: Artifact[] = [];
  const compiled = fields(fields(output, 'output').contracts ?? {}, 'contracts');
  for (const [path, contracts] of Object.entries(compiled)) {
    for (const [name, contract] of Object.entries(fields(contracts, path))) {
      const { abi, evm } = fields(contract, name);
      if (abi === undefined) continue;
      const { bytecode, deployedBytecode } = fields(evm ?? {}, name);
      found.push(
        artifactOf({
          name,
          abi,
          path: withoutPrefix(path, prefix),
          ...codeFields(bytecode, 'creation', sources),
          ...codeFields(deployedBytecode, 'runtime', sources),
        }),
      );
    }
  }
  // Each artifact gets a share of the bytes of the sources.
  return found.map((artifact) => ({
    ...artifact,
    size: artifact.size + Math.ceil(characters / found.length),
  }));
}

/**
 * Reads an artifact of Hardhat or Foundry; undefined for JSON of another kind.
 *
 * @param sources sources by the compiler's numbers, to which Foundry's source maps refer
 * @throws ArtifactError for a malformed artifact
 */
export function readArtifact(
  json: unknown,
  sources: ReadonlyMap<number, SourceText>,
  fileName: string,
): Artifact | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { abi, bytecode, deployedBytecode, contractName, sourceName } = json as Record<string, unknown>;
  if (!Array.isArray(abi)) return undefined;
  const path = typeof sourceName === 'string' ? sourceName : foundrySource(json);
  const name = typeof contractName === 'string' ? contractName : fileName;
  if (typeof bytecode === 'object' && bytecode !== null) {
    return artifactOf({
      name,
      path,
      abi,
      ...codeFields(bytecode, 'creation', sources),
      ...codeFields(deployedBytecode, 'runtime', sources),
    });
  }
  return artifactOf({ name, path, abi, creation: bytecode, runtime: deployedBytecode });
}

/** Returns the source path of a Foundry artifact. */
export function foundrySource(json: object): string | undefined {
  const { ast, metadata } = json as Record<string, unknown>;
  const path = optionalFields(ast)?.absolutePath;
  if (typeof path === 'string') return path;
  const settings = optionalFields(optionalFields(metadata)?.settings);
  const [target] = Object.keys(optionalFields(settings?.compilationTarget) ?? {});
  return target;
}

type CodeFields = Pick<ArtifactFields, 'creation' | 'runtime' | 'creationMap' | 'runtimeMap'>;

/** Returns the code and the source map in the output of a compiler. */
function codeFields(
  code: unknown,
  kind: 'creation' | 'runtime',
  sources: ReadonlyMap<number, SourceText>,
): CodeFields {
  const { object, sourceMap } = optionalFields(code) ?? {};
  const map = typeof sourceMap === 'string' && sourceMap !== '' ? { entries: sourceMap, sources } : undefined;
  return kind === 'creation' ? { creation: object, creationMap: map } : { runtime: object, runtimeMap: map };
}

function optionalFields(json: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  return isObject ? (json as Record<string, unknown>) : undefined;
}

function fields(json: unknown, name: string): Readonly<Record<string, unknown>> {
  const found = optionalFields(json);
  if (found === undefined)
    throw new ArtifactError(`${name.slice(0, SHOWN_NAME_CHARACTERS)} is not an object`);
  return found;
}

function withoutPrefix(path: string, prefix: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}
