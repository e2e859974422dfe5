import { z } from 'zod';
import { defineMethod } from '../../method.ts';

export const listening = defineMethod({
  name: 'net_listening',
  summary: 'Tells whether the node listens for connections.',
  parameters: [],
  result: z.boolean(),
  handler: ({ nodeStatus }) => nodeStatus.listening(),
});
