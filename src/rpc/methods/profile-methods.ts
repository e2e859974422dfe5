import type { MethodDefinition } from '../method.ts';
import type { Profile } from '../profiles/profile.ts';
import { capabilities, clientMethods, config } from './client/client.ts';
import { feeHistory, gasPriceMethods } from './client/prices.ts';
import { ARTIFACT_METHODS } from './control/artifacts.ts';
import { blockTimeMethods } from './control/block-time.ts';
import { chainMethods } from './control/chain.ts';
import { fixedValueMethods } from './control/fixed-values.ts';
import { IMPERSONATION_METHODS } from './control/impersonation.ts';
import { minedBlockMethods } from './control/mining.ts';
import { MINING_MODE_METHODS } from './control/mining-mode.ts';
import { patchMethods } from './control/patches.ts';
import { poolControlMethods } from './control/pool.ts';
import { snapshotMethods } from './control/snapshots.ts';
import { testNodeMethods } from './control/test-node.ts';
import { TOKEN_METHODS } from './control/tokens.ts';
import { PAST_STATE_METHODS } from './debug/past-state.ts';
import { RAW_BLOCK_METHODS } from './debug/raw-blocks.ts';
import { tracerMethods } from './debug/traces.ts';
import { accountStateMethods } from './eth/account-state.ts';
import { blockMethods } from './eth/blocks.ts';
import { call, createAccessList, estimateGas } from './eth/calls.ts';
import { filterMethods } from './eth/filters.ts';
import { poolMethods } from './eth/pool.ts';
import { rawSendingMethods, sendingMethods } from './eth/sending.ts';
import { signingMethods } from './eth/signing.ts';
import { storageMethods } from './eth/storage.ts';
import { subscribe, unsubscribe } from './eth/subscribe.ts';
import { transactionMethods } from './eth/transactions.ts';
import { CONTRACT_METHODS } from './ledger/contracts.ts';
import { getChain } from './ledger/getChain.ts';
import { operationMethods } from './ledger/operations.ts';
import { REGISTRATION_METHODS } from './ledger/registration.ts';
import { otterscanAddressMethods } from './ots/addresses.ts';
import { otterscanBlockMethods } from './ots/blocks.ts';
import { otterscanTransactionMethods } from './ots/transactions.ts';
import { personalAccountMethods, WALLET_LIST_METHODS } from './personal/accounts.ts';
import { DESCRIPTION_METHODS } from './rpc/description.ts';
import { parityMethods } from './trace/parity.ts';

/** Returns the methods that both profiles have, as one of them has them. */
export function profileMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...clientMethods(profile),
    ...gasPriceMethods(profile),
    config,
    capabilities(profile),
    ...accountStateMethods(profile),
    ...storageMethods(profile),
    call(profile),
    ...blockMethods(profile),
    ...transactionMethods(profile),
    feeHistory(profile),
    ...poolMethods(profile),
    ...rawSendingMethods(profile),
    ...filterMethods(profile),
    subscribe,
    unsubscribe,
    ...personalAccountMethods(profile),
    ...signingMethods(profile),
    ...sendingMethods(profile),
    ...controlMethods(profile),
    ...operationMethods(profile),
    ...CONTRACT_METHODS,
    ...DESCRIPTION_METHODS,
    ...tracerMethods(profile),
    ...RAW_BLOCK_METHODS,
    ...PAST_STATE_METHODS,
    ...parityMethods(profile),
    ...otterscanAddressMethods(profile),
    ...otterscanBlockMethods(profile),
    ...otterscanTransactionMethods(profile),
  ];
}

/** Returns the methods that control a test chain. */
function controlMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...minedBlockMethods(profile),
    ...MINING_MODE_METHODS,
    ...blockTimeMethods(profile),
    ...IMPERSONATION_METHODS,
    ...poolControlMethods(profile),
    ...ARTIFACT_METHODS,
    ...testNodeMethods(profile),
    ...fixedValueMethods(profile),
    ...snapshotMethods(profile),
    ...chainMethods(profile),
    ...patchMethods(profile),
    ...TOKEN_METHODS,
  ];
}

/** The methods that `/` alone has, or that mean something else there. */
export const LEDGER_ONLY_METHODS: readonly MethodDefinition[] = [
  estimateGas,
  createAccessList,
  getChain,
  ...REGISTRATION_METHODS,
  ...WALLET_LIST_METHODS,
];
