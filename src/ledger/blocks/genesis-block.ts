import type { BlockId, Hash, Signature } from '../../protocol/index.ts';
import {
  decode,
  encode,
  equalBytes,
  invariant,
  toBlockId,
  toSignature,
  ZERO_HASH,
} from '../../protocol/index.ts';
import type { Store, StoreReader } from '../../store/index.ts';
import { completeJob } from '../../time/job.ts';
import { constantBaseFee } from '../chain/block-fees.ts';
import type { BlockInputs } from '../chain/block-inputs.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockSummary } from '../chain/records.ts';
import {
  ChainDamagedError,
  GenesisMismatchError,
  NoGenesisError,
  readStored,
} from '../errors/chain-errors.ts';
import type { ChainOrigin } from '../genesis/chain-parameters.ts';
import { producerOf } from '../genesis/chain-parameters.ts';
import { applyGenesis, type Genesis, genesisNumberOf } from '../genesis/genesis.ts';
import { checkGenesis } from '../genesis/genesis-checks.ts';
import { chainIdOf, genesisCodec } from '../genesis/genesis-codec.ts';
import { genesisDifferences } from '../genesis/genesis-json.ts';
import type { WorkingState } from '../state/working-state.ts';
import { assembleHeader, type EncodedHeader, encodeHeader, summarize } from './block-assembly.ts';
import { commitOf } from './block-commit.ts';
import { type AppliedBlock, concludeBlock } from './conclude-block.ts';

const NO_BLOCK: BlockId = toBlockId(new Uint8Array(20));
const NO_SIGNATURE: Signature = toSignature(new Uint8Array(64));

/**
 * Reads the genesis of the chain of a store; undefined for an empty store.
 * @throws ChainDamagedError if the record cannot be read
 */
export function storedGenesis(store: StoreReader): Genesis | undefined {
  const record = store.genesis();
  return record && readStored('its genesis', () => decode(genesisCodec, record));
}

/**
 * Chooses the genesis of a ledger: the stored one, which must equal the given one, or the given one for an empty store.
 * Their times may differ: the stored one is used. A test chain that replaced another one also opens with the
 * genesis of that one, and a chain that continues a state dump with that of a chain that could have loaded it.
 * @throws InvalidGenesisError, GenesisMismatchError, NoGenesisError, ChainDamagedError
 */
export function chooseGenesis(store: StoreReader, given: Genesis | undefined): Genesis {
  if (given !== undefined && !genesisBlocks.has(given)) checkGenesis(given);
  const stored = storedGenesis(store);
  if (stored === undefined) {
    if (store.head() !== undefined) throw new ChainDamagedError('it has blocks and no genesis');
    if (given === undefined) throw new NoGenesisError();
    return given;
  }
  if (given !== undefined) {
    const here = chainIdOf(stored);
    const there = chainIdOf(given);
    const isSame = equalBytes(here, chainIdOf(continuedBy(given, stored)));
    if (!isSame && !hasReplaced(store, there)) {
      throw new GenesisMismatchError(here, there, genesisDifferences(stored, given));
    }
  }
  return stored;
}

/** Returns the genesis that a node with a genesis gives a chain that continues the state dump of a stored one. */
function continuedBy(given: Genesis, stored: Genesis): Genesis {
  if (given.ethereum === undefined || stored.ethereum?.fork?.isWhole !== true) return given;
  const { fork, blockGasLimit } = stored.ethereum;
  return { ...given, ethereum: { ...given.ethereum, fork, blockGasLimit } };
}

/** Returns true if the chain of a store replaced one with this id, or one that was opened with it. */
function hasReplaced(store: StoreReader, chainId: Hash): boolean {
  const openedWith = store.openedWith();
  return openedWith !== undefined && equalBytes(openedWith, chainId);
}

/** A genesis block before it is stored. */
interface GenesisBlock {
  readonly summary: BlockSummary;
  readonly header: EncodedHeader;
  readonly applied: AppliedBlock;
  /** The serialized genesis. */
  readonly genesis: Uint8Array;
}

/** The genesis blocks without a remote state, which follow from the genesis alone: the chains of a node share one. */
const genesisBlocks = new WeakMap<Genesis, GenesisBlock>();

/** Stores the genesis block, which has no transactions and no signature: its state is the genesis itself. */
export function storeGenesisBlock(
  store: Store,
  chain: Chain,
  state: WorkingState,
  origin: ChainOrigin,
): void {
  const isAlone = origin.rules.base === undefined;
  const known = isAlone ? genesisBlocks.get(origin.genesis) : undefined;
  const block = known ?? makeGenesisBlock(store, chain, state, origin);
  if (isAlone) genesisBlocks.set(origin.genesis, block);
  const { summary, header, applied, genesis } = block;
  const commit = commitOf(summary, header, { ...applied, accumulator: applied.accumulator.slice() });
  store.commitBlock({ ...commit, genesis });
  chain.advance(summary);
  state.clear();
}

function makeGenesisBlock(
  store: Store,
  chain: Chain,
  state: WorkingState,
  { genesis, chainId, rules }: ChainOrigin,
): GenesisBlock {
  // Its accounts have these balances whatever a remote chain has.
  const initial = rules.base === undefined ? state : state.over(store, chain, { ...rules, base: undefined });
  const contracts = applyGenesis(genesis, chainId, initial, rules.base && state);
  const number = genesisNumberOf(genesis);
  const producer = producerOf(genesis, number);
  const delegate = initial.native.account(producer)?.options.delegatingAccount;
  invariant(delegate !== undefined, 'the producers are accounts of the genesis');
  const { timestamp } = genesis;
  const prices = { baseFee: constantBaseFee(rules), excessBlobGas: rules.fork?.excessBlobGas ?? 0n };
  const inputs: BlockInputs = {
    number,
    attempt: 0,
    timestamp,
    account: producer,
    rand: ZERO_HASH,
    prices,
    settings: undefined,
  };
  const after = { changes: [...initial.changes(), ...contracts], contractAddressOf: () => undefined };
  const applied = completeJob(concludeBlock([], after, store, inputs, rules));
  const header = encodeHeader({
    ...assembleHeader(NO_BLOCK, inputs, delegate, applied),
    edSignature: NO_SIGNATURE,
    rand: inputs.rand,
    cert: [],
  });
  const summary = summarize(number, header, applied);
  return { summary, header, applied, genesis: encode(genesisCodec, genesis) };
}

/** Throws `ChainDamagedError` if the stored state is not that of the stored genesis. */
export function checkStoredChainId(state: WorkingState, chainId: Hash): void {
  if (equalBytes(state.native.properties.chainId, chainId)) return;
  throw new ChainDamagedError('its state and its genesis name different chain ids');
}
