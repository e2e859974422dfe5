/** What compilers say of contracts: interfaces, code, and where it comes from. */

export type { Described } from './contract-interface.ts';
export {
  type Artifact,
  ArtifactError,
  artifactOf,
  artifactsOfCompilation,
  foundrySource,
  readArtifact,
} from './read-artifact.ts';
export { ArtifactRegistry, isCodeOf } from './registry.ts';
export { type SourceLine, type SourceText, sourceLineOf } from './source-lines.ts';
