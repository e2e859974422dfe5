import type { BlockId, Hash, Signature, SignedBlockHeader } from '../protocol/index.ts';
import { equalBytes, toBlockId, toSignature, ZERO_HASH } from '../protocol/index.ts';
import type { Store } from '../store/index.ts';
import type { BlockInputs } from './apply-block.ts';
import { concludeBlock } from './apply-block.ts';
import { assembleHeader, summarize } from './block-assembly.ts';
import type { Chain } from './chain.ts';
import { GenesisMismatchError } from './errors.ts';
import type { Genesis } from './genesis.ts';
import { applyGenesis, producerOf } from './genesis.ts';
import { storeBlock } from './store-block.ts';
import type { WorkingState } from './working-state.ts';

const NO_BLOCK: BlockId = toBlockId(new Uint8Array(20));
const NO_SIGNATURE: Signature = toSignature(new Uint8Array(64));

/** Stores block 0, which has no transactions and no signature: its state is the genesis itself. */
export function storeGenesisBlock(store: Store, chain: Chain, state: WorkingState, genesis: Genesis): void {
  applyGenesis(genesis, state);
  const applied = concludeBlock([], state.changes(), undefined);
  const producer = producerOf(genesis, 0);
  const inputs: BlockInputs = {
    number: 0,
    timestamp: genesis.timestamp,
    account: producer.id,
    rand: ZERO_HASH,
  };
  const header: SignedBlockHeader = {
    ...assembleHeader(NO_BLOCK, inputs, producer.options.delegatingAccount, applied),
    edSignature: NO_SIGNATURE,
    rand: inputs.rand,
    cert: [],
  };
  const summary = summarize(0, header, applied);
  storeBlock(store, summary, applied);
  chain.advance(summary);
  state.settle();
}

/** Throws `GenesisMismatchError` where the stored chain began with another genesis. */
export function checkStoredGenesis(state: WorkingState, chainId: Hash): void {
  const stored = state.native.properties.chainId;
  if (!equalBytes(stored, chainId)) throw new GenesisMismatchError(stored, chainId);
}
