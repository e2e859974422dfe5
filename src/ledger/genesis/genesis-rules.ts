import { BLOCK_GAS_LIMIT, WEI_PER_UNIT } from '../../consensus.ts';
import { NO_FEATURES } from '../chain/ethereum-features.ts';
import type { StateRules } from '../state/state-rules.ts';
import type { Genesis } from './genesis.ts';
import { isTestGenesis } from './test-genesis.ts';

/** Returns the rules of storing and executing the state of a chain. */
export function stateRulesOf(genesis: Genesis): StateRules {
  const { hardfork, ethereum } = genesis;
  return {
    hardfork,
    weiPerUnit: ethereum === undefined ? 1n : WEI_PER_UNIT,
    blockGasLimit: ethereum?.blockGasLimit ?? BLOCK_GAS_LIMIT,
    hasStandardAddresses: ethereum !== undefined,
    headersStateSettings: ethereum !== undefined && isTestGenesis(genesis),
    fork: ethereum?.fork,
    ...(ethereum?.features ?? NO_FEATURES),
  };
}
