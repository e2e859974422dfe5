import { type Address, addressOwner } from '../../protocol/index.ts';
import { data, dataShape, quantityShape } from '../../view/index.ts';
import { ERRORS } from '../description/described-errors.ts';
import type { QueryContext } from '../method-context.ts';
import { mapped } from '../parameters/schema.ts';
import { ethereumMessage, ethereumRequestSchema } from '../transactions/ethereum-call-messages.ts';
import { ethereumClientVersion } from './client-version.ts';
import { ETHEREUM_CONTROL } from './ethereum-control.ts';
import { ETHEREUM_OBJECTS } from './ethereum-objects.ts';
import { ETHEREUM_SENDING } from './ethereum-sending.ts';
import { chainIdText, ETHEREUM_PRICES } from './gas-prices.ts';
import type { CallBuilder, Profile, StateReference } from './profile.ts';
import { meansHead, pendingOr, STATE_DIFFERENCES, STATE_PARAMETER, stateAt } from './state-at.ts';

/** The profile of `/ethereum`: the shapes, units and block parameters of Ethereum's Execution APIs. */
export const ETHEREUM_PROFILE: Profile = {
  id: 'ethereum',
  errorStyle: 'geth',
  state: {
    parameter: STATE_PARAMETER,
    errors: [ERRORS.headerNotFound, ERRORS.stateNotKept],
    differences: STATE_DIFFERENCES,
    readsHead: meansHead,
    at: (ledger, reference = 'latest') => stateAt(ledger, reference),
    oldest: ({ oldestKept }) => oldestKept,
    readsPending: ({ pending }, { parameters }) =>
      !pending.isEmpty && Array.isArray(parameters) && parameters[1] === 'pending',
    atOrPending: ({ ledger, pending }, reference = 'latest') => pendingOr(pending, ledger, reference),
  },
  objects: ETHEREUM_OBJECTS,
  sending: ETHEREUM_SENDING,
  control: ETHEREUM_CONTROL,
  pool: { chains: 'all', section: 'blocks' },
  call: mapped(
    ethereumRequestSchema,
    (request): CallBuilder =>
      (context, accounts, block) =>
        ethereumMessage(request, context, { accounts, block }),
  ),
  unit: 'wei',
  prices: ETHEREUM_PRICES,
  chainIdShape: quantityShape,
  chainId: chainIdText,
  networkId: ({ chainId }) => chainId,
  clientVersion: ethereumClientVersion,
  perUnit: ({ rules }) => rules.weiPerUnit,
  balance: ({ ledger, pending }, address, reference = 'latest') =>
    pendingOr(pending, ledger, reference).weiBalanceOf(address),
  transactionCount: nonceOf,
  codeShape: dataShape,
  code: data,
};

/** Returns the nonce of an address; that of a native account, which has none, is its number of operations. */
function nonceOf(
  { ledger, pending }: QueryContext,
  address: Address,
  reference: StateReference = 'latest',
): bigint | number {
  // A key's address almost never begins with a zero.
  const isNative = address[0] === 0 && addressOwner(address).kind === 'account';
  // The transaction objects of its operations show the same count, also while some are pending.
  if (isNative && ledger.hasHistory) return stateAt(ledger, reference).operationCount(address);
  if (reference === 'pending' && !isNative && pending !== undefined) return pending.nonceOf(address);
  return stateAt(ledger, reference).nonceOf(address);
}
