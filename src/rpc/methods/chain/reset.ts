import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { optional, type Schema } from '../../parameters/schema.ts';
import { membersOf } from '../../parameters/structures.ts';
import { nullAfter } from '../../test-control/mining-order.ts';
import { peerNames } from '../../test-control/peer-names.ts';

/** Whether another chain is to be forked: clients name none, with null, where they only want to begin anew. */
const resetSchema: Schema<boolean> = {
  describe: () => ({ type: 'object', additionalProperties: true, title: 'object' }),
  read: (value, place) => {
    const members = membersOf(value, place);
    const forking = membersOf(members.forking ?? {}, { within: place, key: 'forking' });
    return [members, forking].some(
      ({ jsonRpcUrl, blockNumber }) => (jsonRpcUrl ?? blockNumber ?? null) !== null,
    );
  },
};

export const reset = defineMethod({
  ...peerNames('reset'),
  summary:
    'Takes the chain back to its genesis, and the clock and the production of blocks to what the node began with; ' +
    'nothing waits then, and snapshots are gone.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    {
      name: 'options',
      schema: optional(resetSchema, false),
      summary: 'Empty, since there is nothing to fork.',
    },
  ],
  result: nullShape,
  errors: [ERRORS.noFork, ERRORS.blockNotKept, ERRORS.writesPaused],
  differences: 'Another chain is not forked: `forking` and `jsonRpcUrl` are refused.',
  example: { parameters: [], result: null },
  handler: ({ testChain }, [isFork]) => {
    if (isFork) throw new RequestFailedError(ERRORS.noFork.message);
    return nullAfter(testChain.reset());
  },
});
