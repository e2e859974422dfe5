/** Blocks: how they are made, imported, applied, added and stored. */

export { type AddedBlock, atOnce } from './adding-block.ts';
export { blockContextOf, setEngineBlock } from './apply-block.ts';
export { BlockProducer } from './block-producer.ts';
export { BlockSteps, type SerializedBlock } from './block-steps.ts';
export { ChainWriter } from './chain-writer.ts';
export { checkStoredChainId, chooseGenesis, storedGenesis, storeGenesisBlock } from './genesis-block.ts';
export { type NextBlockOptions, nextInputs } from './next-block.ts';
export { ProducerKeys } from './producer-keys.ts';
export { type LedgerSettings, Production } from './production.ts';
export { type FormerStore, planReversion, revertChain } from './revert-chain.ts';
export type { SignedBlocks } from './signed-blocks.ts';
export { importTogether } from './stored-together.ts';
