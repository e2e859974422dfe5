import { ArtifactError, type JsonValue, type Wanted } from '../artifacts/json-parts.ts';

/** A source and a contract in it. */
export interface ContractIdentifier {
  readonly path: string;
  readonly name: string;
}

/** The input of a compiler, in Solidity's standard form. */
export interface StandardInput {
  readonly language: string;
  /** Texts by path. */
  readonly sources: ReadonlyMap<string, string>;
  readonly settings: unknown;
}

/** The members of a standard input, and of metadata, that are read. */
export const STANDARD_INPUT: Wanted = { language: true, sources: { '*': { content: true } }, settings: true };

/** Reads a standard input, a source in each step. @throws ArtifactError for another value */
export function* readStandardInput(input: JsonValue): Generator<void, StandardInput> {
  const given = input.at('sources');
  if (given === undefined) throw new ArtifactError('the input has no sources');
  const sources = new Map<string, string>();
  for (const [path, source] of given.members('sources')) {
    const content = source.at('content')?.text();
    if (content === undefined) throw new ArtifactError('a source has no content');
    sources.set(path, content);
    yield;
  }
  const language = input.at('language')?.text() ?? 'Solidity';
  return { language, sources, settings: input.at('settings')?.value() ?? {} };
}

/** Reads `path:Name`; a name alone has an empty path. */
export function readIdentifier(text: string): ContractIdentifier {
  const colon = text.lastIndexOf(':');
  return { path: text.slice(0, Math.max(0, colon)), name: text.slice(colon + 1) };
}

/** Returns the version of a compiler without the leading `v` that some tools add. */
export function plainVersion(version: string): string {
  return version.replace(/^v/, '');
}
