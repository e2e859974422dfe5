import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dispatcherOf, exchange, held, open, rawRequest, send, startTestServer } from '../server.testing.ts';

const NOT_READ = '"error":{"code":-32600,"message":"this is not an HTTP request"}}';

/** Responds with the body of the request. */
const mirror = dispatcherOf((body) => `"${body.toString()}"`);

function post(port: number, body: string, headers: readonly string[] = []): string {
  return rawRequest(port, [`Content-Length: ${Buffer.byteLength(body)}`, ...headers], body);
}

/** Takes the head of a response apart; what depends on the clock is left out. */
function headOf(answer: string): string[] {
  const [head = ''] = answer.split('\r\n\r\n');
  return head
    .toLowerCase()
    .replace(/date: [^\r]+/, 'date')
    .split('\r\n');
}

/** Reads until so many responses of one line have come. */
async function answers(socket: Awaited<ReturnType<typeof open>>, count: number): Promise<string[]> {
  let text = '';
  const found = (): string[] => text.match(/"\w*"(?=HTTP|$)/g) ?? [];
  while (found().length < count) text += String((await once(socket, 'data'))[0]);
  return found();
}

describe('a request in the common form', () => {
  test('default', async () => {
    const { port } = await startTestServer({ dispatcher: mirror });
    const socket = await open(port);
    for (const body of ['one', 'two', 'größer']) {
      const answer = await send(socket, post(port, body));
      expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(`"${body}"`);
    }
  });

  test('behavior: it is answered with the same head as any other', async () => {
    const { port } = await startTestServer();
    for (const body of ['text', 'notify']) {
      const common = await send(await open(port), post(port, body));
      const other = await send(await open(port), post(port, body, ['X-Any: thing']));
      expect(headOf(common)).toEqual(headOf(other));
    }
  });

  test('args: the usual headers of clients', async () => {
    const { port } = await startTestServer();
    const headers = [
      'User-Agent: client/1.0 (any; thing)',
      'Accept: */*',
      'Accept-Encoding: gzip, br',
      'accept-language:*',
      'Content-Type: application/json',
      'connection: Keep-Alive',
    ];
    expect(await send(await open(port), post(port, 'x', headers))).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  });

  test('behavior: any pieces of it give the same answers', async () => {
    const { port } = await startTestServer({ dispatcher: mirror });
    const pieces = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 20 });
    const bodies = fc.array(fc.stringMatching(/^\w{0,40}$/), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(bodies, pieces, async (texts, lengths) => {
        const socket = await open(port);
        const answered = answers(socket, texts.length);
        let rest = texts.map((body) => post(port, body)).join('');
        for (const length of lengths) {
          if (socket.write(rest.slice(0, length))) await new Promise(setImmediate);
          rest = rest.slice(length);
        }
        socket.write(rest);
        expect(await answered).toEqual(texts.map((text) => `"${text}"`));
        socket.destroy();
      }),
      { numRuns: 50 },
    );
  });

  test('behavior: a pipelined request waits for the response before it', async () => {
    const { dispatcher: slow, asked, release } = held();
    const order: string[] = [];
    const dispatcher = dispatcherOf((body) => {
      order.push(body.toString());
      return body.toString() === 'slow' ? slow.handle(body) : '"quick"';
    });
    const { port } = await startTestServer({ dispatcher });
    const socket = await open(port);
    const answered = answers(socket, 3);
    socket.write(post(port, 'slow'));
    await asked;
    socket.write(post(port, 'second'));
    socket.write(post(port, 'third'));
    expect(await send(await open(port), post(port, 'other'))).toContain('"quick"');
    release();
    expect(await answered).toEqual(['"done"', '"quick"', '"quick"']);
    expect(order).toEqual(['slow', 'other', 'second', 'third']);
  });

  test('behavior: a large pipelined request is not read before its turn, and not lost', async () => {
    const { dispatcher: slow, asked, release } = held();
    const dispatcher = dispatcherOf((body) => (body.length > 1 ? `"${body.length}"` : slow.handle(body)));
    const { port } = await startTestServer({ dispatcher });
    const socket = await open(port);
    const answered = answers(socket, 2);
    socket.write(post(port, 'x'));
    await asked;
    socket.write(post(port, 'x'.repeat(4_000_000)));
    release();
    expect(await answered).toEqual(['"done"', '"4000000"']);
  });

  test('behavior: a client that only listens after it gets its answer', async () => {
    const { dispatcher, asked, release } = held();
    const { port } = await startTestServer({ dispatcher });
    const socket = await open(port);
    const [answered, closed] = [answers(socket, 1), once(socket, 'close')];
    socket.end(post(port, 'x'));
    await asked;
    release();
    expect(await answered).toEqual(['"done"']);
    await closed;
  });

  test('behavior: pipelined requests of a half-closed connection are answered too', async () => {
    for (const rest of ['', 'POST / HT']) {
      const { dispatcher: slow, asked, release } = held();
      const dispatcher = dispatcherOf((body) => (body.toString() === 'slow' ? slow.handle(body) : '"quick"'));
      const { port } = await startTestServer({ dispatcher });
      const socket = await open(port);
      let text = '';
      socket.on('data', (piece: Buffer) => {
        text += String(piece);
      });
      const closed = once(socket, 'close');
      socket.write(post(port, 'slow'));
      await asked;
      socket.end(`${post(port, 'second')}${post(port, 'third')}${rest}`);
      release();
      await closed;
      expect(text.match(/"done"|"quick"/g)).toEqual(['"done"', '"quick"', '"quick"']);
      expect(text.includes(NOT_READ)).toBe(rest !== '');
    }
  });

  test('error: it ends too early', async () => {
    const { port } = await startTestServer();
    for (const cut of [10, 60]) {
      const socket = await open(port);
      const answer = once(socket, 'data');
      socket.end(post(port, 'x'.repeat(100)).slice(0, cut));
      expect(String((await answer)[0])).toContain(NOT_READ);
    }
  });
});

describe('a request in another form', () => {
  test('default', async () => {
    const { port } = await startTestServer({ dispatcher: mirror });
    const chunked = `${rawRequest(port, ['Transfer-Encoding: chunked'])}2\r\nab\r\n0\r\n\r\n`;
    const socket = await open(port);
    expect(await send(socket, post(port, 'common'))).toContain('"common"');
    expect(await send(socket, chunked)).toContain('"ab"');
    expect(await send(socket, post(port, 'again'))).toContain('"again"');
  });

  test('error: requests that violate HTTP are rejected', async () => {
    const { port } = await startTestServer();
    for (const line of [
      'Content-Length: 1',
      'Host: localhost',
      'Transfer-Encoding: chunked',
      'Any thing: x',
      'no colon',
      'User-Agent: \x01',
    ]) {
      const answer = await exchange(port, post(port, 'x', [line, 'Connection: close']));
      expect([line, answer.split(' ')[1]]).toEqual([line, '400']);
    }
  });

  test('error: a host that is not allowed', async () => {
    const { port } = await startTestServer();
    const answer = await send(
      await open(port),
      post(port, 'x').replace(/Host: [^\r]+/, 'Host: evil.example'),
    );
    expect(answer).toMatch(/^HTTP\/1.1 403 .*the host .*evil\.example.* is not allowed: --allow-host /s);
  });

  test('error: a page elsewhere that sends no origin', async () => {
    const { port } = await startTestServer();
    const status = async (site: string) => {
      const answer = await send(await open(port), post(port, 'x', [`Sec-Fetch-Site: ${site}`]));
      return [site, answer.split(' ')[1]];
    };
    for (const site of ['cross-site', 'same-site', 'whatever'])
      expect(await status(site)).toEqual([site, '403']);
    for (const site of ['none', 'same-origin']) expect(await status(site)).toEqual([site, '200']);
    const twice = 'none\r\nSec-Fetch-Site: none';
    expect(await status(twice)).toEqual([twice, '403']);
  });
});
