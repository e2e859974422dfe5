/** Patches: changes of the state after a block that a test makes without a block. */

export { commitPatch, weiSupplyOf } from './commit-patch.ts';
