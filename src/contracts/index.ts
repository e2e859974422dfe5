/** Known contracts: interfaces and artifacts, lines of the console, readable calls. */

export {
  type Artifact,
  artifactOf,
  type Compilation,
  type OutputName,
  type Source,
} from './artifacts/artifact.ts';
export type { CodePattern } from './artifacts/code-pattern.ts';
export { artifactsOfCompilation } from './artifacts/compilation.ts';
export { selectorOf } from './artifacts/contract-interface.ts';
export { ArtifactError, findParts, JsonValue } from './artifacts/json-parts.ts';
export { ArtifactRegistry, isCodeOf } from './artifacts/registry.ts';
export { consoleLine } from './console/format.ts';
export { readFolder } from './folder/read-folder.ts';
export { watchFolder } from './folder/watch-folder.ts';
export { foreignName } from './standards/foreign-text.ts';
export { minimalProxyTarget } from './standards/minimal-proxy.ts';
export {
  addressIn,
  MULTI_TOKEN_TOPICS,
  type TokenTransfer,
  TRANSFER_TOPIC,
  topicOf,
  transfersOf,
} from './standards/transfers.ts';
export {
  callTree,
  describeFailure,
  type Failure,
  type TreeCall,
  type TreeKnowledge,
  type TreeLine,
  type TreePiece,
  treeOfFrame,
  treeOfObject,
} from './tree/call-tree.ts';
export { revertMessageOf } from './tree/reason.ts';
export {
  type ContractReader,
  ContractVerification,
  type VerificationFailure,
  type VerificationJob,
  type VerificationRequest,
  type VerifiedContract,
} from './verification/contract-verification.ts';
export { betterMatch, type ContractCreation, type DeployedContract } from './verification/match-contract.ts';
export {
  plainVersion,
  readIdentifier,
  readStandardInput,
  STANDARD_INPUT,
  type StandardInput,
} from './verification/standard-input.ts';
