import { constantShape, data, dataShape, eitherShape } from '../../view/index.ts';
import { ignoredBlockSchema } from '../parameters/block.ts';
import type { Profile } from './profile.ts';

/** The profile of `/`: the specified interface, which always reads the head. */
export const LEDGER_PROFILE: Profile = {
  id: 'ledger',
  state: {
    parameter: { name: 'block', schema: ignoredBlockSchema },
    errors: [],
    differences: undefined,
    readsHead: () => () => true,
    at: (ledger) => ledger,
    atOrPending: ({ ledger }) => ledger,
  },
  balance: ({ ledger }, address) => ledger.balanceOf(address),
  transactionCount: ({ ledger }, address) => ledger.operationCount(address),
  codeShape: eitherShape(dataShape, constantShape('')),
  code: (bytes) => (bytes.length === 0 ? '' : data(bytes)),
};
