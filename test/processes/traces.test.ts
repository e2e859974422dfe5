import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { DEFAULT_CONFIGURATION, type TestNode } from '../../src/node/index.ts';
import { TRACE_CHECK_MS, TRACE_IDLE_MS } from '../../src/processes/process-pool.ts';
import { SHORT_TRACE_GAS_MAX, TRACE_WHOLE_BYTES_MAX } from '../../src/rpc/tracing/traceable.ts';
import { call, children, isLinux, post, start } from './nodes.ts';

/** A loop of three instructions, of 11 gas together. */
const LOOP = '0x5b5f56';
const LOOP_GAS = 11;
/** Gas of a call whose step log exceeds the buffer, and its approximate number of steps. */
const LONG_GAS = 1_200_000;
const LONG_STEPS = (3 * (LONG_GAS - 53_000)) / LOOP_GAS;
const LONG = [{ data: LOOP, gas: LONG_GAS }, 'latest', {}] as const;

/** Creations that store 1 in slot 0, and that call nobody with 32 KiB of input. */
const STORING = '0x60015f55';
const TELLING = '5f5f6180005f6112345afa50';
const TELLING_TIMES = 8;

/** Sends a creation by the first account, and gives its hash. */
async function send(node: TestNode, data: string, gas = 300_000): Promise<string> {
  const { result: accounts } = await call(node, 'eth_accounts');
  const [from] = accounts as readonly string[];
  const input = data.startsWith('0x') ? data : `0x${data}`;
  const { result: hash } = await call(node, 'eth_sendTransaction', { from, data: input, gas });
  const { result: receipt } = await call(node, 'eth_getTransactionReceipt', hash);
  return (receipt as { transactionHash: string }).transactionHash;
}

const body = (method: string, ...params: readonly unknown[]): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** A node whose traces may be longer than what is kept, and take long. */
async function startTracing(rpc: Partial<typeof DEFAULT_CONFIGURATION.rpc> = {}, workers = 0) {
  const limits = { ...DEFAULT_CONFIGURATION.rpc, traceTimeMsMax: 60_000, ...rpc };
  return start({ workers, rpc: limits });
}

/** Sends a request, and returns the response once its head has arrived. */
function begin({ url }: TestNode, text: string): Promise<IncomingMessage> {
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: 'POST', agent }, resolve);
    asking.once('error', reject);
    asking.end(text);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

/** Waits until something is so, while the event loop goes round. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

describe('traces', () => {
  test('default: a separate process makes them, and short ones are sent whole', async () => {
    const { node } = await startTracing();
    const { result } = await call(node, 'debug_traceCall', { data: '0x60015f55' });
    const { failed, structLogs } = result as { failed: boolean; structLogs: readonly { op: string }[] };
    expect([failed, structLogs.map(({ op }) => op)]).toEqual([false, ['PUSH1', 'PUSH0', 'SSTORE', 'STOP']]);
    if (isLinux) expect(children()).toHaveLength(1);
    const { headers } = await begin(node, body('debug_traceCall', { data: '0x00' }));
    expect(headers).toMatchObject({ 'content-length': expect.any(String) });
  });

  test('behavior: the node traces transactions with little gas, except their steps', async () => {
    const { node } = await startTracing();
    const hash = await send(node, STORING);
    const trace = (config: object) => call(node, 'debug_traceTransaction', hash, config);
    const calls = { type: 'CREATE', input: STORING };
    expect(await trace({ tracer: 'callTracer' })).toMatchObject({ result: calls });
    expect(await trace({ tracer: 'muxTracer', tracerConfig: { callTracer: {} } })).toMatchObject({
      result: { callTracer: calls },
    });
    expect(await call(node, 'trace_transaction', hash)).toMatchObject({ result: [{ type: 'create' }] });
    expect(await call(node, 'trace_get', hash, [])).toMatchObject({ result: { type: 'create' } });
    expect(await call(node, 'ots_traceTransaction', hash)).toMatchObject({ result: [{ type: 'CREATE' }] });
    expect(await call(node, 'ots_getInternalOperations', hash)).toMatchObject({ result: [] });
    expect(
      await call(node, 'debug_traceTransaction', `0x${'12'.repeat(32)}`, { tracer: 'callTracer' }),
    ).toMatchObject({
      error: { message: 'transaction not found' },
    });
    if (isLinux) expect(children()).toHaveLength(0);
    expect(await trace({})).toMatchObject({ result: { failed: false } });
    if (isLinux) expect(children()).toHaveLength(1);
  });

  test('behavior: a separate process traces transactions with much gas or output', async () => {
    const { node } = await startTracing();
    const traced = async (data: string) => {
      const { result } = await call(node, 'debug_traceTransaction', await send(node, data), {
        tracer: 'callTracer',
      });
      return result as { gasUsed: string; calls?: readonly { input: string }[] };
    };
    const { calls = [] } = await traced(TELLING.repeat(TELLING_TIMES));
    expect(calls.map(({ input }) => input.length)).toEqual(Array(TELLING_TIMES).fill(2 + 2 * 0x8000));
    if (isLinux) expect(children()).toHaveLength(1);
    const { node: other } = await startTracing();
    const hash = await send(other, LOOP, SHORT_TRACE_GAS_MAX + 1);
    expect(await call(other, 'debug_traceTransaction', hash, { tracer: 'callTracer' })).toMatchObject({
      result: { error: 'out of gas' },
    });
    if (isLinux) expect(children()).toHaveLength(2);
  });

  test('behavior: other calls run during a trace', async () => {
    const { node } = await startTracing();
    const order: string[] = [];
    await Promise.all([
      call(node, 'debug_traceCall', ...LONG).then(() => order.push('trace')),
      call(node, 'eth_blockNumber').then(() => order.push('number')),
    ]);
    expect(order).toEqual(['number', 'trace']);
  });

  test('behavior: a long response is streamed, and the connection stays open', async () => {
    const { node } = await startTracing();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ask = (text: string): Promise<IncomingMessage> =>
      new Promise((resolve) => request(node.url, { method: 'POST', agent }, resolve).end(text));
    const response = await ask(body('debug_traceCall', ...LONG));
    expect(response.headers).toMatchObject({ 'transfer-encoding': 'chunked', 'content-type': /json/ });
    const text = await textOf(response);
    expect(text.length).toBeGreaterThan(TRACE_WHOLE_BYTES_MAX);
    const { id, result } = JSON.parse(text);
    expect([id, result.failed]).toEqual([1, true]);
    expect(Math.abs(result.structLogs.length - LONG_STEPS)).toBeLessThan(LONG_STEPS / 50);
    expect(JSON.parse(await textOf(await ask(body('eth_blockNumber'))))).toMatchObject({ result: '0x0' });
  });

  test('behavior: the full HTTP server gives the same pieces, and none to HTTP/1.0', async () => {
    const { node } = await startTracing();
    const text = body('debug_traceCall', ...LONG);
    const expected = await post(node, JSON.parse(text));
    // Fields that a usual request does not have.
    const url = `${node.url}/?`;
    const response = await new Promise<IncomingMessage>((resolve) => {
      request(url, { method: 'POST', agent: false }, resolve).end(text);
    });
    expect(await textOf(response)).toBe(expected);
    const old = connect(node.port, '127.0.0.1');
    old.write(`POST / HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    const answer = await socketText(old);
    expect(answer).toContain('"code":-32005');
    expect(answer).not.toContain('chunked');
  });

  test('error: a failure within a streamed response closes the connection before its end', async () => {
    const { node } = await startTracing({ traceBytesMax: TRACE_WHOLE_BYTES_MAX + 1_000_000 });
    const response = await begin(node, body('debug_traceCall', ...LONG));
    expect(response.statusCode).toBe(200);
    await expect(textOf(response)).rejects.toThrow('aborted');
    expect(await call(node, 'debug_traceCall', { data: '0x00' })).toMatchObject({
      result: { failed: false },
    });
  });

  test('error: an oversized trace is rejected in responses that cannot be streamed', async () => {
    const { node } = await startTracing();
    const one = { jsonrpc: '2.0', id: 1, method: 'debug_traceCall', params: LONG };
    const short = { ...one, id: 2, params: [{ data: '0x00' }] };
    const refused = {
      code: -32005,
      message: `the trace exceeds the limit of ${TRACE_WHOLE_BYTES_MAX} bytes (--trace-bytes): ask for less of it`,
    };
    expect(JSON.parse(await post(node, [one, short]))).toMatchObject([
      { id: 1, error: refused },
      { id: 2, result: { failed: false } },
    ]);
    const socket = new WebSocket(node.url.replace('http', 'ws'));
    onTestFinished(() => socket.terminate());
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify(one));
    const message = await new Promise<string>((resolve) =>
      socket.once('message', (data) => resolve(String(data))),
    );
    expect(JSON.parse(message)).toMatchObject({ id: 1, error: refused });
  });

  test('error: a bound below the buffer, and a trace that takes too long', async () => {
    const { node } = await startTracing({ traceBytesMax: 100_000 });
    expect(await call(node, 'debug_traceCall', ...LONG)).toMatchObject({ error: { code: -32005 } });
    const { node: hasty } = await startTracing({ traceTimeMsMax: 30 });
    const askLong = () => call(hasty, 'debug_traceCall', { data: LOOP, gas: 40_000_000 });
    let late = await askLong();
    // A machine may be too busy to start a process in time, and then the node says so.
    while (JSON.stringify(late).includes('has ended: ask again')) late = await askLong();
    expect(late).toMatchObject({ error: { code: -32000, message: 'execution timeout' } });
  });

  test('behavior: a trace applies backpressure to its reader without blocking other calls', async () => {
    const { node } = await startTracing();
    const text = body('debug_traceCall', ...LONG);
    const slow = await begin(node, text);
    slow.pause();
    for (let count = 0; count < 20; count += 1) {
      expect(await call(node, 'eth_blockNumber')).toMatchObject({ result: '0x0' });
    }
    const whole = await textOf(slow);
    expect(JSON.parse(whole).result.structLogs.length).toBeGreaterThan(LONG_STEPS / 2);
    expect(await heldBytes(node)).toBe(0);
    expect(await call(node, 'debug_traceCall', { data: '0x00' })).toHaveProperty('result');
  });

  test.runIf(isLinux)('behavior: a trace is cancelled when its reader disconnects', async () => {
    const { node, notices, failures } = await startTracing();
    const left = await begin(node, body('debug_traceCall', ...LONG));
    const [process] = children();
    left.destroy();
    await until(() => !children().includes(process ?? 0));
    expect(await call(node, 'debug_traceCall', { data: '0x00' })).toHaveProperty('result');
    // A request without a response so far.
    const text = body('debug_traceCall', { data: LOOP, gas: 40_000_000 });
    const [other] = children();
    const socket = connect(node.port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    await call(node, 'eth_blockNumber');
    socket.destroy();
    await until(() => !children().includes(other ?? 0));
    expect([notices, failures]).toEqual([[], []]);
  });

  test.runIf(isLinux)(
    'behavior: killing a trace process aborts its trace, and the next trace succeeds',
    async () => {
      const { node, notices } = await startTracing();
      const response = await begin(node, body('debug_traceCall', ...LONG));
      response.pause();
      const [victim] = children();
      process.kill(victim ?? 0, 'SIGKILL');
      await expect(textOf(response)).rejects.toThrow('aborted');
      expect(notices).toEqual([{ kind: 'workerLost', processId: victim, reason: 'SIGKILL' }]);
      const unanswered = call(node, 'debug_traceCall', { data: LOOP, gas: 40_000_000 });
      await until(() => children().length > 0);
      process.kill(children()[0] ?? 0, 'SIGKILL');
      expect(await unanswered).toMatchObject({ error: { code: -32000, message: /has ended: ask again/ } });
      expect(await call(node, 'debug_traceCall', { data: '0x00' })).toHaveProperty('result');
    },
  );

  test.runIf(isLinux)('behavior: an idle process exits', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { node, notices } = await startTracing();
    await call(node, 'debug_traceCall', { data: '0x00' });
    expect(children()).toHaveLength(1);
    vi.advanceTimersByTime(TRACE_IDLE_MS);
    expect(children()).toHaveLength(1);
    vi.advanceTimersByTime(2 * TRACE_CHECK_MS);
    await until(() => children().length === 0);
    expect(notices).toEqual([]);
  });

  test('behavior: a stopping node ends traces in progress', async () => {
    const { node } = await startTracing();
    const response = await begin(node, body('debug_traceCall', ...LONG));
    const text = textOf(response).then(
      () => 'whole',
      () => 'cut off',
    );
    await node.close();
    // The response has the usual time to end.
    expect(['whole', 'cut off']).toContain(await text);
    if (isLinux) expect(children()).toEqual([]);
  });

  test('behavior: traces of canonical blocks succeed during continuous reverts', async () => {
    const { node } = await startTracing();
    await send(node, STORING);
    const order = { areMade: false };
    let reverts = 0;
    const reverting = async (): Promise<void> => {
      while (!order.areMade) {
        const { result: snapshot } = await call(node, 'evm_snapshot');
        await call(node, 'evm_mine');
        expect(await call(node, 'evm_revert', snapshot)).toMatchObject({ result: true });
        reverts += 1;
      }
    };
    const reverted = reverting();
    const answers = [];
    for (let trace = 0; trace < 5; trace += 1) answers.push(await call(node, 'debug_traceBlockByNumber', 1));
    order.areMade = true;
    await reverted;
    expect(reverts).toBeGreaterThan(0);
    for (const answer of answers) expect(answer).toMatchObject({ result: [{ result: { failed: false } }] });
  });

  test.runIf(isLinux)('error: a block that is reverted before its trace has begun', async () => {
    const { node } = await startTracing();
    await send(node, STORING);
    expect(await call(node, 'debug_traceBlockByNumber', 1)).toHaveProperty('result');
    const [tracer = 0] = children();
    process.kill(tracer, 'SIGSTOP');
    const trace = call(node, 'debug_traceBlockByNumber', 1);
    await call(node, 'eth_blockNumber');
    node.ledger.chain.revertTo(0);
    process.kill(tracer, 'SIGCONT');
    expect(await trace).toMatchObject({ error: { code: -32000, message: 'block #1 not found' } });
    expect(children()).toEqual([tracer]);
  });

  test('behavior: a trace that has begun is of the chain as it was then, also of a reverted block', async () => {
    const { node } = await startTracing();
    await send(node, LOOP, LONG_GAS);
    const response = await begin(node, body('debug_traceBlockByNumber', 1));
    node.ledger.chain.revertTo(0);
    const { result } = JSON.parse(await textOf(response));
    expect(result).toMatchObject([{ result: { failed: true, gas: LONG_GAS } }]);
  });

  test.runIf(isLinux)('error: a process that exits early is reported with the cause', async () => {
    const { node } = await startTracing();
    await send(node, STORING);
    expect(await call(node, 'debug_traceBlockByNumber', 1)).toHaveProperty('result');
    const [tracer = 0] = children();
    process.kill(tracer, 'SIGSTOP');
    const socket = new WebSocket(node.url.replace('http', 'ws'));
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    socket.send(body('debug_traceBlockByNumber', 1));
    socket.send(body('eth_blockNumber'));
    // The client has requested the earlier pieces by then.
    await once(socket, 'message');
    const answered = once(socket, 'message');
    process.kill(tracer, 'SIGKILL');
    const [answer] = await answered;
    expect(JSON.parse(String(answer))).toMatchObject({
      error: {
        code: -32000,
        message: 'the process that made the trace ended (SIGKILL): retry, or request a smaller trace',
      },
    });
  });
});

function socketText(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString();
    });
    socket.once('close', () => resolve(text));
  });
}

/** Bytes that are held for clients, by the node's own count. */
async function heldBytes({ url }: TestNode): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const held = [
    ...text.matchAll(/^ledgerd_held_bytes\{[^}]*kind="(?:answers|unread|values)"[^}]*\} (\d+)$/gm),
  ];
  return held.reduce((total, [, bytes]) => total + Number(bytes), 0);
}
