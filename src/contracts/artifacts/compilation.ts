import { type Artifact, artifactOf, type Compilation, compiledFields, type Source } from './artifact.ts';
import { type JsonValue, jsonOf, runToEnd, type Wanted } from './json-parts.ts';

const CODE: Wanted = {
  object: true,
  sourceMap: true,
  linkReferences: true,
  immutableReferences: true,
  generatedSources: true,
};

/** Parts of a contract that tools may write besides its code. */
export const CONTRACT_PARTS: { readonly [name: string]: Wanted } = {
  abi: true,
  metadata: true,
  storageLayout: true,
  transientStorageLayout: true,
  userdoc: true,
  devdoc: true,
};

export const CODE_PARTS: { readonly [name: string]: Wanted } = { bytecode: CODE, deployedBytecode: CODE };

/** Parts of a compilation in the form of Hardhat's build-info. */
export const COMPILATION_PARTS: { readonly [name: string]: Wanted } = {
  solcLongVersion: true,
  input: { settings: true, sources: { '*': { content: true } } },
  output: {
    sources: { '*': { id: true, ast: true } },
    contracts: { '*': { '*': { ...CONTRACT_PARTS, evm: CODE_PARTS } } },
  },
};

/** Prefixes of the names of sources in Hardhat 3: of the project, and of a package with its version. */
const PREFIX = /^project\/|^npm\/(?=(@[^/]+\/)?[^/@]+@)/;
const VERSION = /^((?:@[^/]+\/)?[^/@]+)@[^/]+/;

/** Returns the path of a source from the name that the compiler got. */
export function sourcePath(name: string): string {
  const path = name.replace(PREFIX, '');
  return name.startsWith('npm/') ? path.replace(VERSION, '$1') : path;
}

/**
 * Reads the input and the output of a compiler, and keeps their text.
 *
 * @param compiler version with commit
 * @throws ArtifactError for anything else
 */
export function artifactsOfCompilation(input: unknown, output: unknown, compiler?: string): Artifact[] {
  const json = jsonOf({ input, output, solcLongVersion: compiler }, COMPILATION_PARTS);
  const found = runToEnd(readCompilation(json, json));
  const share = Math.ceil(json.bytes / found.length);
  return found.map((artifact) => ({ ...artifact, size: artifact.size + share }));
}

/**
 * Reads a compilation, a contract in each step.
 *
 * @param input has the input, which Hardhat 3 writes into another file
 * @throws ArtifactError for a malformed one
 */
export function* readCompilation(json: JsonValue, input: JsonValue | undefined): Generator<void, Artifact[]> {
  const sources = new Map<number, Source>();
  input?.at('input')?.members('input');
  const inputs = new Map(input?.at('input', 'sources')?.members('sources') ?? []);
  const output = json.at('output');
  output?.members('output');
  for (const [name, source] of output?.at('sources')?.members('sources') ?? []) {
    source.members(name);
    inputs.get(name)?.members(name);
    const id = source.at('id')?.value();
    if (typeof id !== 'number') continue;
    const path = sourcePath(name);
    const text = (): string | undefined => inputs.get(name)?.at('content')?.text();
    sources.set(id, { name, path, text, ast: () => source.at('ast')?.value() });
  }
  const compilation: Compilation = {
    compiler: () => (json.at('solcLongVersion') ?? input?.at('solcLongVersion'))?.text(),
    settings: () => input?.at('input', 'settings')?.value(),
    sources: () => sources,
  };
  const found: Artifact[] = [];
  for (const [source, contracts] of output?.at('contracts')?.members('contracts') ?? []) {
    for (const [name, contract] of contracts.members(source)) {
      contract.members(name);
      if (contract.at('abi') === undefined) continue;
      const fields = compiledFields(contract, contract.at('evm'));
      found.push(artifactOf({ name, path: sourcePath(source), ...fields, compilation }));
      yield;
    }
  }
  return found;
}
