import type { MethodDefinition } from '../method.ts';
import type { Profile } from '../profiles/profile.ts';
import { CLIENT_METHODS, capabilitiesMethod, config } from './client/client.ts';
import { feeHistory, GAS_PRICE_METHODS } from './client/prices.ts';
import { ARTIFACT_METHODS } from './control/artifacts.ts';
import { BLOCK_TIME_METHODS } from './control/block-time.ts';
import { chainMethods } from './control/chain.ts';
import { FIXED_VALUE_METHODS } from './control/fixed-values.ts';
import { IMPERSONATION_METHODS } from './control/impersonation.ts';
import { MINED_BLOCK_METHODS } from './control/mining.ts';
import { MINING_MODE_METHODS } from './control/mining-mode.ts';
import { PATCH_METHODS } from './control/patches.ts';
import { POOL_CONTROL_METHODS } from './control/pool.ts';
import { SNAPSHOT_METHODS } from './control/snapshots.ts';
import { TEST_NODE_METHODS } from './control/test-node.ts';
import { TOKEN_METHODS } from './control/tokens.ts';
import { PAST_STATE_METHODS } from './debug/past-state.ts';
import { RAW_BLOCK_METHODS } from './debug/raw-blocks.ts';
import { tracerMethods } from './debug/traces.ts';
import { accountStateMethods } from './eth/account-state.ts';
import { BLOCK_METHODS } from './eth/blocks.ts';
import { callMethod } from './eth/calls.ts';
import { FILTER_METHODS } from './eth/filters.ts';
import { poolMethods } from './eth/pool.ts';
import { rawSendingMethods, sendingMethods } from './eth/sending.ts';
import { signingMethods } from './eth/signing.ts';
import { storageMethods } from './eth/storage.ts';
import { subscribe, unsubscribe } from './eth/subscribe.ts';
import { TRANSACTION_METHODS } from './eth/transactions.ts';
import { CONTRACT_METHODS } from './ledger/contracts.ts';
import { NAME_METHODS } from './ledger/names.ts';
import { OPERATION_METHODS } from './ledger/operations.ts';
import { TOKEN_QUERIES } from './ledger/tokens.ts';
import { otterscanAddressMethods } from './ots/addresses.ts';
import { OTTERSCAN_BLOCK_METHODS } from './ots/blocks.ts';
import { OTTERSCAN_TRANSACTION_METHODS } from './ots/transactions.ts';
import { PERSONAL_ACCOUNT_METHODS } from './personal/accounts.ts';
import { DESCRIPTION_METHODS } from './rpc/description.ts';
import { parityMethods } from './trace/parity.ts';

/** Returns the methods that both profiles have, with the objects of one; the native interface replaces some. */
export function profileMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...CLIENT_METHODS,
    ...GAS_PRICE_METHODS,
    config,
    capabilitiesMethod(({ history }) => history.oldestState),
    ...accountStateMethods(profile),
    ...storageMethods(profile),
    callMethod(profile, (reason, { gas }) => `err: ${reason} (supplied gas ${gas})`),
    ...BLOCK_METHODS,
    ...TRANSACTION_METHODS,
    feeHistory,
    ...poolMethods(profile),
    ...rawSendingMethods(profile),
    ...FILTER_METHODS,
    subscribe,
    unsubscribe,
    ...PERSONAL_ACCOUNT_METHODS,
    ...signingMethods(profile),
    ...sendingMethods(profile),
    ...controlMethods(profile),
    ...OPERATION_METHODS,
    ...CONTRACT_METHODS,
    ...NAME_METHODS,
    ...TOKEN_QUERIES,
    ...DESCRIPTION_METHODS,
    ...tracerMethods(profile),
    ...RAW_BLOCK_METHODS,
    ...PAST_STATE_METHODS,
    ...parityMethods(profile),
    ...otterscanAddressMethods(profile),
    ...OTTERSCAN_BLOCK_METHODS,
    ...OTTERSCAN_TRANSACTION_METHODS,
  ];
}

/** Returns the methods that control a test chain. */
function controlMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...MINED_BLOCK_METHODS,
    ...MINING_MODE_METHODS,
    ...BLOCK_TIME_METHODS,
    ...IMPERSONATION_METHODS,
    ...POOL_CONTROL_METHODS,
    ...ARTIFACT_METHODS,
    ...TEST_NODE_METHODS,
    ...FIXED_VALUE_METHODS,
    ...SNAPSHOT_METHODS,
    ...chainMethods(profile),
    ...PATCH_METHODS,
    ...TOKEN_METHODS,
  ];
}
