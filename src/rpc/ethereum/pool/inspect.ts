import type { PendingOperation } from '../../../ledger/index.ts';
import { addressShape, objectShape, recordShape, textShape } from '../../../view/index.ts';
import { transactionObject } from '../../answers/ethereum-objects.ts';
import { defineMethod } from '../../method.ts';
import type { MethodContext } from '../../method-context.ts';
import { listed, waitingOperations } from './waiting.ts';

const linesShape = recordShape(recordShape(textShape), addressShape);

export const poolInspection = defineMethod({
  name: 'txpool_inspect',
  summary: 'Lists what waits like txpool_content, each in a line of text.',
  section: 'blocks',
  work: 'turn',
  parameters: [],
  result: objectShape({ pending: linesShape, queued: linesShape }),
  example: { parameters: [], result: { pending: {}, queued: {} } },
  handler: (context) => {
    const { pending, queued } = waitingOperations(context);
    const write = (operation: PendingOperation): string => lineOf(context, operation);
    return { pending: listed(context, pending, write), queued: listed(context, queued, write) };
  },
});

function lineOf(context: MethodContext, operation: PendingOperation): string {
  const { to, value, gas, gasPrice } = transactionObject(context, operation);
  const receiver = to ?? 'contract creation';
  return `${receiver}: ${BigInt(value)} wei + ${BigInt(gas)} gas × ${BigInt(gasPrice)} wei`;
}
