import { z } from 'zod';
import { defineMethod } from '../../method.ts';

export const listening = defineMethod({
  name: 'net_listening',
  summary: 'Tells whether the node listens for connections.',
  section: 'client',
  parameters: [],
  result: z.boolean(),
  example: { parameters: [], result: true },
  handler: ({ nodeStatus }) => nodeStatus.listening(),
});
