/** Blocks: how they are made, imported, applied, added and stored. */

export { type AddedBlock, AddingBlock, atOnce, type BlockWork } from './adding-block.ts';
export { blockContextOf, setEngineBlock } from './apply-block.ts';
export { BlockProducer } from './block-producer.ts';
export { BlockSteps, type PlaceGiver, type SerializedBlock } from './block-steps.ts';
export { addEmptyBlocks, timeAfter } from './empty-blocks.ts';
export { checkStoredChainId, chooseGenesis, storedGenesis, storeGenesisBlock } from './genesis-block.ts';
export { type NextBlockOptions, nextInputs } from './next-block.ts';
export { type FormerStore, planReversion, revertChain } from './revert-chain.ts';
export type { SignedBefore, SignedBlocks } from './signed-blocks.ts';
export { importTogether } from './stored-together.ts';
