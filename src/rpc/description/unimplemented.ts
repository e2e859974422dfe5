/** Reasons for which methods are not implemented (docs/interface.md#what-is-not-implemented). */

const NO_UNCLES = 'this ledger has no uncle blocks';
const NO_WORK = 'deprecated, and blocks of this ledger are not mined by proof of work';
const NO_COMPILER = 'deprecated: compile contracts with a separate tool';
const NO_DATABASE = 'deprecated: the node stores no data for callers';
const NO_WHISPER = 'deprecated: the node does not speak Whisper';

const TEMPO_ONLY = 'a method of a chain with fees in tokens';
const WALLETS_OWN = 'a method of browser wallets';

const NO_REJECTED_BLOCKS = 'the node keeps no blocks that it rejected';
const NO_TRACE_FILES = 'the node writes no traces into files';

/** Known methods that are refused, with the reason. */
export const UNIMPLEMENTED: ReadonlyMap<string, string> = new Map([
  ['eth_getUncleByBlockHashAndIndex', NO_UNCLES],
  ['eth_getUncleByBlockNumberAndIndex', NO_UNCLES],
  ['eth_getUncleCountByBlockHash', NO_UNCLES],
  ['eth_getUncleCountByBlockNumber', NO_UNCLES],
  ['eth_hashrate', NO_WORK],
  ['eth_getWork', NO_WORK],
  ['eth_submitWork', NO_WORK],
  ['eth_submitHashrate', NO_WORK],
  ['eth_getProof', 'this ledger keeps no Merkle proofs of its state'],
  ['eth_getCompilers', NO_COMPILER],
  ['eth_compileSolidity', NO_COMPILER],
  ['eth_compileLLL', NO_COMPILER],
  ['eth_compileSerpent', NO_COMPILER],
  ['db_putString', NO_DATABASE],
  ['db_getString', NO_DATABASE],
  ['db_putHex', NO_DATABASE],
  ['db_getHex', NO_DATABASE],
  ['shh_post', NO_WHISPER],
  ['shh_version', NO_WHISPER],
  ['shh_newIdentity', NO_WHISPER],
  ['shh_hasIdentity', NO_WHISPER],
  ['shh_newGroup', NO_WHISPER],
  ['shh_addToGroup', NO_WHISPER],
  ['shh_newFilter', NO_WHISPER],
  ['shh_uninstallFilter', NO_WHISPER],
  ['shh_getFilterChanges', NO_WHISPER],
  ['shh_getMessages', NO_WHISPER],
  ['miner_setExtra', 'blocks of this ledger carry no extra data'],
  ['eth_resend', 'operations have no nonces: send the same signed transaction again'],
  ['debug_traceBadBlock', NO_REJECTED_BLOCKS],
  ['debug_traceChain', 'request one block after the other: debug_traceBlockByNumber'],
  ['debug_standardTraceBlockToFile', NO_TRACE_FILES],
  ['debug_standardTraceBadBlockToFile', NO_TRACE_FILES],
  ['debug_intermediateRoots', 'a block has one state root'],
  ['debug_executionWitness', 'the state root is not a Merkle root: an execution has no witness'],
  ['debug_dbGet', 'use the other methods to read the database'],
  ['debug_freeOSMemory', 'the node manages its memory automatically'],
  ['anvil_classifyTransaction', 'transactions of this ledger have no classes'],
  ['anvil_dealTIP20', TEMPO_ONLY],
  ['anvil_setFeeToken', TEMPO_ONLY],
  ['anvil_setValidatorFeeToken', TEMPO_ONLY],
  ['anvil_setFeeAmmLiquidity', TEMPO_ONLY],
  ['wallet_addEthereumChain', WALLETS_OWN],
  ['wallet_switchEthereumChain', WALLETS_OWN],
  ['wallet_watchAsset', WALLETS_OWN],
  ['wallet_getPermissions', WALLETS_OWN],
  ['wallet_requestPermissions', WALLETS_OWN],
  ['wallet_getCapabilities', WALLETS_OWN],
  ['wallet_sendCalls', WALLETS_OWN],
]);

/** The same for `/ethereum`, which implements some of them. */
export const ETHEREUM_UNIMPLEMENTED: ReadonlyMap<string, string> = new Map([
  ...UNIMPLEMENTED,
  ['eth_resend', 'send a transaction of the same nonce with a higher fee'],
]);
