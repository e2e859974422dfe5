import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { problemsOf } from './response-check.ts';

/** A proxy between clients and the program that checks every response. */
export interface CheckingProxy {
  readonly url: string;
  /** Lists the mismatches so far. */
  problems(): readonly string[];
  close(): Promise<void>;
}

/** Starts a proxy to a program on a free port; `check` lists the faults of a response. */
export async function startCheckingProxy(target: string, check = problemsOf): Promise<CheckingProxy> {
  const problems: string[] = [];
  const server = createServer((request, response) => {
    forward(target, request, response, (asked, answer) => problems.push(...check(asked, answer))).catch(() =>
      // The program has ended, while a client still polls at the end of a test.
      response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    problems: () => problems,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function forward(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  see: (asked: string, answer: string) => void,
): Promise<void> {
  const { method = 'POST', url = '/' } = request;
  const body = await text(request);
  const { 'transfer-encoding': _, ...headers } = request.headers;
  const length = String(Buffer.byteLength(body));
  const outgoing = httpRequest(new URL(url, target), {
    method,
    headers: { ...headers, 'content-length': length },
  });
  outgoing.end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  if (incoming === undefined) throw new Error('no response');
  const answer = await text(incoming);
  see(body, answer);
  response.writeHead(incoming.statusCode ?? 500, incoming.headers).end(answer);
}
