import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NodeProcess } from '../node-process.ts';
import { type Program, runProgram, startProgram } from '../program.ts';

let folder = '';
let running: number[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledgerd-stopping-'));
});

afterEach(async () => {
  // Only a test that fails leaves one behind.
  for (const processId of running) process.kill(processId, 'SIGKILL');
  running = [];
  await rm(folder, { recursive: true });
});

async function start(...words: readonly string[]): Promise<Program> {
  const dataDir = join(folder, 'node');
  const program = await startProgram('--data-dir', dataDir, '--min-free-space', '0', ...words);
  running.push(program.processId);
  return program;
}

/** Asks a program to stop, and gives the status that it ends with. */
async function stop(program: Program): Promise<number | null> {
  const status = await program.stop();
  running = running.filter((processId) => processId !== program.processId);
  return status;
}

async function startNode(...words: readonly string[]): Promise<Program> {
  expect(await runProgram('init', '--data-dir', join(folder, 'node'))).toMatchObject({ status: 0 });
  return start(...words);
}

/** A connection with a request whose body is not whole yet; the node has begun with it. */
async function halfRequest(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
  socket.write(`POST / HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${body.length}\r\n`);
  socket.write('Expect: 100-continue\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

test('default: SIGTERM ends it with status 0, and requests in flight are answered before', async () => {
  const node = await startNode('--shutdown-timeout', '600');
  const socket = await halfRequest(node.url);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  const ended = once(socket, 'end');
  const status = stop(node);
  await node.printed(/"event":"stopping"/);
  socket.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }));
  expect(await status).toBe(0);
  await ended;
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{"jsonrpc":"2\.0","id":1,"result":255\}/);
  expect(node.output()).toMatch(/"event":"stopped"[^\n]*\n$/);
});

test('behavior: a second signal exits immediately, and the chain continues after a restart', async () => {
  const node = await startNode('--shutdown-timeout', '600', '--block-interval', '0.1');
  await node.printed(/"number":2\b/);
  const socket = await halfRequest(node.url);
  const status = stop(node);
  await node.printed(/"event":"stopping"/);
  process.kill(node.processId, 'SIGTERM');
  expect(await status).toBe(143);
  socket.destroy();
  const again = await start();
  expect(Number(await again.call('eth_blockNumber'))).toBeGreaterThanOrEqual(2);
  expect(await stop(again)).toBe(0);
});

test('behavior: a command that waits for an unresponsive block log stops on request', async () => {
  expect(await stop(await startNode())).toBe(0);
  const silent = createServer((socket) => socket.on('error', () => undefined));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const connected = once(silent, 'connection');
  const log = ['--block-log', `nats://127.0.0.1:${port}`, '--block-log-replicas', '1'];
  const seeding = new NodeProcess(['block-log', 'seed', '--data-dir', join(folder, 'node'), ...log]);
  await connected;
  expect(await seeding.end('SIGTERM')).toEqual({ status: 1, signal: null });
  expect(seeding.output).toBe('ledgerd: cannot seed the log: interrupted');
  silent.close();
});

test('error: a state that cannot be dumped at the stop: status 1, and the file', async () => {
  const gone = join(folder, 'gone');
  await mkdir(gone);
  const program = await startProgram('--dump-state', join(gone, 'state.json'));
  running.push(program.processId);
  await rm(gone, { recursive: true });
  expect(await stop(program)).toBe(1);
  expect(program.errors()).toMatch(
    /^ledgerd: the state file .*gone\/state\.json: the state was not dumped: ENOENT: no such file or directory/,
  );
});
