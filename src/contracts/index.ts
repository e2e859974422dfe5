/** What is known of contracts: their interfaces, what they tell the console, and their calls in words. */

export {
  type Artifact,
  ArtifactError,
  ArtifactRegistry,
  artifactOf,
  artifactsOfCompilation,
  isCodeOf,
} from './artifacts/index.ts';
export { consoleLine } from './console/index.ts';
export { readFolder, watchFolder } from './folder/index.ts';
export {
  callTree,
  revertMessageOf,
  type TreeCall,
  type TreeKnowledge,
  type TreeLine,
  type TreePiece,
  treeOfFrame,
  treeOfObject,
} from './tree/index.ts';
