import type { PendingOperation } from '../../../ledger/index.ts';
import { gasLimit, movedAmount } from '../../../protocol/index.ts';
import {
  addressShape,
  data,
  emptyObjectShape,
  objectShape,
  recordShape,
  textShape,
} from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { waitingByPayer } from './waiting.ts';

export const poolInspection = defineMethod({
  name: 'txpool_inspect',
  summary: 'Lists what waits for a block like txpool_content, each in a line of text.',
  section: 'control',
  work: 'turn',
  chains: 'test',
  parameters: [],
  result: objectShape({
    pending: recordShape(recordShape(textShape), addressShape),
    queued: emptyObjectShape,
  }),
  example: { parameters: [], result: { pending: {}, queued: {} } },
  handler: ({ ledger }) => ({ pending: waitingByPayer(ledger, lineOf), queued: {} }),
});

function lineOf({ operation, to }: PendingOperation): string {
  const receiver = to === undefined ? 'contract creation' : data(to);
  const value = movedAmount(operation)?.amount.amount ?? 0n;
  return `${receiver}: ${value} wei + ${gasLimit(operation)} gas × 1 wei`;
}
