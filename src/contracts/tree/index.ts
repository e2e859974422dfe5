/** The calls of a transaction in the words of its contracts. */

export { callTree, type TreeKnowledge, type TreeLine, type TreePiece } from './call-tree.ts';
export { revertMessageOf } from './reason.ts';
export { type TreeCall, treeOfFrame, treeOfObject } from './tree-call.ts';
