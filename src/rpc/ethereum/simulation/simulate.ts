import { knowsErrors } from '../../context/node-parts.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { STATE_PARAMETER, stateAt } from '../../profiles/state-at.ts';
import { simulatedObjects, simulationShape } from './objects.ts';
import { simulationSchema } from './payload.ts';
import { simulatedBlocks } from './run.ts';

export const simulate = defineMethod({
  name: 'eth_simulateV1',
  summary:
    'Runs blocks of calls, each on the state that those before it have left; nothing is added to the chain.',
  section: 'state',
  work: 'worker',
  parameters: [{ name: 'payload', schema: simulationSchema }, STATE_PARAMETER],
  result: simulationShape,
  errors: [ERRORS.callTimedOut, ERRORS.headerNotFound, ERRORS.stateNotKept, ERRORS.simulationRefused],
  differences:
    'Blocks are a second apart unless told otherwise, `pending` is the latest block, and nobody pays for gas, also ' +
    'with `validation`.',
  staysHere: knowsErrors,
  handler: (context, [request, reference]) => {
    const state = stateAt(context.ledger, reference);
    const blocks = simulatedBlocks(context, state, request);
    return simulatedObjects(state, blocks, request.returnFullTransactions, context.artifacts);
  },
});
