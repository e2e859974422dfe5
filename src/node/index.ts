/** Nodes: configuration, start, maintenance of data folders, and archives. */

export { readLastBlock } from './archive/archive-reader.ts';
export { DUMP_INFLATED_BYTES_MAX } from './archive/chain-dumps.ts';
export { type ExportReport, exportBlocks } from './archive/export.ts';
export { importBlocks } from './archive/import.ts';
export type { BlockLogAddress, BlockLogSource } from './block-log/block-log.ts';
export { parseBlockLogAddress } from './block-log/jetstream/jetstream.ts';
export { BLOCK_LOG_ADDRESS_FORM, STREAM_SERVERS_MAX } from './block-log/jetstream/log-address.ts';
export {
  DEFAULT_CONFIGURATION,
  DEFAULT_ETHEREUM,
  DEFAULT_NODE_CONFIGURATION,
  NO_BLOCK_GAS_LIMIT,
  type NodeConfiguration,
  type ServiceConfiguration,
  type StateFiles,
  type TestNodeConfiguration,
  UnsafeHostError,
} from './configuration.ts';
export { dataFolderAt, isThere, SETTINGS_FILE } from './data-folder.ts';
export {
  type EthereumDescription,
  type NodeAccount,
  type ServiceDescription,
  type TestNodeDescription,
  VERSION,
} from './description.ts';
export { type FailedExecution, type NodeEvents, withFewFailures } from './events.ts';
export { describeFork, type ForkDescription, packFork } from './fork/fork-packing.ts';
export { endpointName, type ForkConfiguration, type ForkSource } from './fork-configuration.ts';
export type { MaxLag } from './health.ts';
export {
  INIT_PRODUCERS_MAX,
  type InitializedAccount,
  type InitializedCluster,
  type InitializedFolder,
  type InitializeEthereum,
  type InitializeOptions,
  initializeCluster,
  initializeFolder,
} from './initialize.ts';
export { readPrivateKey } from './keys/key-file.ts';
export type { EthereumBlock, LoggedTransaction } from './logged-block.ts';
export { backUpFolder } from './maintenance/backup.ts';
export { type ChainDescription, describeChain } from './maintenance/describe-chain.ts';
export { rollBack } from './maintenance/rollback.ts';
export { type BlockLogReport, describeBlockLog, seedBlockLog } from './maintenance/seed-block-log.ts';
export { verifyChain, verifyNewestState } from './maintenance/verify.ts';
export { type NodeDescription, startNode } from './node.ts';
export {
  DataFolderError,
  GenesisFileError,
  KeyFileError,
  StateDumpError,
  StateFileError,
} from './node-errors.ts';
export { describeNotice, type NodeNotice } from './notices.ts';
export { ProcessHold } from './process-hold.ts';
export { shellWord } from './shell-word.ts';
export { settingsOfGenesis } from './state-dump/geth-genesis.ts';
export type { JobControl } from './stored-chain.ts';
export { TEST_ACCOUNTS_MAX } from './test-chain/genesis-keys.ts';
export { TestChainControl } from './test-chain/test-chain-control.ts';
export { startTestNode, type TestNode } from './test-node.ts';
