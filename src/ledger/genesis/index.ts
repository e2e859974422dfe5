/** The genesis: its form as JSON and bytes, its checks, the networks. */

export {
  type ChainOrigin,
  ChainParameters,
  type OriginSource,
  originOf,
  PerOrigin,
} from './chain-parameters.ts';
export {
  applyGenesis,
  type EthereumGenesis,
  type Genesis,
  type GenesisAccount,
  stateRulesOf,
  supplyOf,
} from './genesis.ts';
export { checkGenesis } from './genesis-checks.ts';
export { chainIdOf, genesisCodec, isSameGenesis } from './genesis-codec.ts';
export { formatGenesis, genesisDifferences, parseGenesis } from './genesis-json.ts';
export { NETWORK_NAMES, type Network, type NetworkName, networkOf } from './network.ts';
export { createTestGenesis, isTestGenesis, type TestGenesisOptions } from './test-genesis.ts';
export { attemptSeconds, attemptsOf, producerOf } from './turns.ts';
