import { constantShape, data, dataShape, eitherShape } from '../../view/index.ts';
import { ignoredBlockSchema } from '../parameters/block.ts';
import { callRequestSchema } from '../parameters/call-object.ts';
import { mapped } from '../parameters/schema.ts';
import { callMessage } from '../transactions/call-messages.ts';
import { LEDGER_OBJECTS } from './ledger-objects.ts';
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
    atOrPending: ({ ledger }) => ledger,
  },
  objects: LEDGER_OBJECTS,
  call: mapped(
    callRequestSchema,
    (request): CallBuilder =>
      (context, accounts, block) =>
        callMessage(request, context, accounts, block),
  ),
  perUnit: () => 1n,
  balance: ({ ledger }, address) => ledger.balanceOf(address),
  transactionCount: ({ ledger }, address) => ledger.operationCount(address),
  codeShape: eitherShape(dataShape, constantShape('')),
  code: (bytes) => (bytes.length === 0 ? '' : data(bytes)),
};
