/** Patches: what a test changes of a chain after a block, without a block. */

export { commitPatch, type PatchParts, replayPatch, weiSupplyOf } from './commit-patch.ts';
