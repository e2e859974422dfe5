import { constantShape, data, dataShape, eitherShape, integerShape } from '../../view/index.ts';
import { ignoredBlockSchema } from '../parameters/block.ts';
import { callRequestSchema } from '../parameters/call-object.ts';
import { mapped } from '../parameters/schema.ts';
import { callMessage } from '../transactions/call-messages.ts';
import { ledgerClientVersion } from './client-version.ts';
import { LEDGER_PRICES } from './gas-prices.ts';
import { LEDGER_CONTROL } from './ledger-control.ts';
import { LEDGER_OBJECTS } from './ledger-objects.ts';
import { LEDGER_SENDING } from './ledger-sending.ts';
import type { CallBuilder, Profile } from './profile.ts';

/** The profile of `/`: the specified interface, which always reads the head. */
export const LEDGER_PROFILE: Profile = {
  id: 'ledger',
  errorStyle: 'ledger',
  state: {
    parameter: { name: 'block', schema: ignoredBlockSchema },
    errors: [],
    differences: undefined,
    readsHead: () => () => true,
    at: (ledger) => ledger,
    oldest: (ledger) => ledger.head().number,
    readsPending: () => false,
    atOrPending: ({ ledger }) => ledger,
  },
  objects: LEDGER_OBJECTS,
  sending: LEDGER_SENDING,
  control: LEDGER_CONTROL,
  pool: { chains: 'test', section: 'control' },
  call: mapped(
    callRequestSchema,
    (request): CallBuilder =>
      (context, accounts, block) =>
        callMessage(request, context, accounts, block),
  ),
  unit: 'native units',
  prices: LEDGER_PRICES,
  chainIdShape: integerShape,
  chainId: ({ chainId }) => chainId,
  networkId: ({ networkId }) => networkId,
  clientVersion: ledgerClientVersion,
  perUnit: () => 1n,
  balance: ({ ledger }, address) => ledger.balanceOf(address),
  transactionCount: ({ ledger }, address) => ledger.operationCount(address),
  codeShape: eitherShape(dataShape, constantShape('')),
  code: (bytes) => (bytes.length === 0 ? '' : data(bytes)),
};
