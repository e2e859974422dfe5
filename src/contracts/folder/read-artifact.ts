import { resolve } from 'node:path';
import { recordOf } from '../../json/record.ts';
import { bytesToHex, keccak256, utf8ToBytes } from '../../protocol/index.ts';
import {
  type Artifact,
  artifactOf,
  type Compilation,
  compiledFields,
  type Source,
} from '../artifacts/artifact.ts';
import { CODE_PARTS, COMPILATION_PARTS, CONTRACT_PARTS } from '../artifacts/compilation.ts';
import type { JsonValue, Wanted } from '../artifacts/json-parts.ts';
import { readProjectFile } from './json-file.ts';

/** Parts of the files that Hardhat and Foundry write. */
export const FILE_PARTS: Wanted = {
  ...COMPILATION_PARTS,
  ...CONTRACT_PARTS,
  ...CODE_PARTS,
  contractName: true,
  sourceName: true,
  rawMetadata: true,
  id: true,
  ast: true,
  linkReferences: true,
  deployedLinkReferences: true,
  immutableReferences: true,
  source_id_to_path: true,
};

/** Paths of sources by Foundry's numbers in one compilation. */
export type SourceNumbers = Readonly<Record<string, unknown>>;

/** A folder of artifacts of Foundry. */
export interface FoundryProject {
  readonly root: string;
  readonly compilations: readonly SourceNumbers[];
}

/**
 * Reads an artifact of Hardhat or Foundry; undefined for JSON of another kind.
 *
 * @throws ArtifactError for a malformed artifact
 */
export function readArtifact(
  json: JsonValue,
  project: FoundryProject,
  fileName: string,
): Artifact | undefined {
  if (json.at('output') !== undefined || !Array.isArray(json.at('abi')?.value())) return undefined;
  const fields = compiledFields(json, json);
  const sourceName = json.at('sourceName')?.text();
  const contractName = json.at('contractName')?.text() ?? fileName;
  if (sourceName !== undefined) return artifactOf({ name: contractName, path: sourceName, ...fields });
  const target = recordOf(recordOf(metadataOf(json).settings).compilationTarget);
  const [path, name = contractName] = Object.entries(target)[0] ?? [];
  const compilation = foundryCompilation(json, path, project);
  return artifactOf({ name: textOrNone(name) ?? contractName, path, ...fields, compilation });
}

/** The compilation of an artifact of Foundry, whose sources are in the project around it. */
function foundryCompilation(json: JsonValue, path: string | undefined, project: FoundryProject): Compilation {
  return {
    compiler: () => textOrNone(recordOf(metadataOf(json).compiler).version),
    settings: () => metadataOf(json).settings,
    sources: () => {
      const hashes = recordOf(metadataOf(json).sources);
      const found = new Map<number, Source>();
      for (const [id, name] of numbersOf(json, path, Object.keys(hashes), project)) {
        const hash = recordOf(hashes[name]).keccak256;
        const text = (): string | undefined => textIn(project.root, name, hash);
        found.set(id, {
          name,
          path: name,
          text,
          ast: () => (name === path ? json.at('ast')?.value() : undefined),
        });
      }
      return found;
    },
  };
}

/**
 * Returns the sources of an artifact by number. An artifact does not name its compilation: a number counts if all
 * compilations that may be its own agree on it.
 */
function numbersOf(
  json: JsonValue,
  path: string | undefined,
  names: readonly string[],
  { compilations }: FoundryProject,
): ReadonlyMap<number, string> {
  const id = json.at('id')?.value();
  const found = new Map<number, string>();
  if (typeof id !== 'number' || path === undefined) return found;
  const candidates = compilations.filter((numbers) => {
    const paths = new Set(Object.values(numbers));
    return numbers[id] === path && names.every((name) => paths.has(name));
  });
  for (const [number, name] of Object.entries(candidates[0] ?? { [id]: path })) {
    if (typeof name !== 'string' || !names.includes(name)) continue;
    if (candidates.every((numbers) => numbers[number] === name)) found.set(Number(number), name);
  }
  return found;
}

function metadataOf(json: JsonValue): Readonly<Record<string, unknown>> {
  return recordOf(json.at('metadata')?.value());
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Reads a source of a project; undefined for one outside of the project, and for another than the compiled one. */
function textIn(project: string, path: string, hash: unknown): string | undefined {
  const file = resolve(project, path);
  if (!file.startsWith(`${project}/`)) return undefined;
  try {
    const text = readProjectFile(file);
    return `0x${bytesToHex(keccak256(utf8ToBytes(text)))}` === hash ? text : undefined;
  } catch {
    return undefined;
  }
}
