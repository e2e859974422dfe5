import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { RpcResponse } from '../json-rpc.ts';

export type Lie = (result: unknown, parameters: readonly unknown[]) => unknown;

/** A node that lies about one method. */
export interface LyingNode {
  readonly url: string;
  close(): Promise<void>;
}

interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Serves the responses of the node at `target`, with changed results of one method. */
export async function startLyingNode(target: string, method: string, lie: Lie): Promise<LyingNode> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = { 'content-type': 'application/json' };
    const posted = await fetch(target, { method: 'POST', headers, body });
    const requests: readonly Request[] = JSON.parse(body);
    const answers: readonly RpcResponse[] = JSON.parse(await posted.text());
    const changed = answers.map((answer) => {
      const asked = requests.find(({ id }) => id === answer.id);
      return asked?.method === method ? { ...answer, result: lie(answer.result, asked.params) } : answer;
    });
    response.writeHead(200, headers).end(JSON.stringify(changed));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: new URL(new URL(target).pathname, `http://127.0.0.1:${address.port}`).href,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
