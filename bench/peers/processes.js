/** Peers as processes, and what the system says of them. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withConnection } from './connection.js';
import { environmentOf } from './peers.js';

/** The clock that the system counts the processor's time with, in Hz. */
const TICKS = 100;
/** How often is tried whether a peer answers. */
const PATIENCE_MS = 4;
const START_MS = 60_000;
/** How often is looked how much memory a peer takes. */
const MEMORY_MS = 100;

/**
 * Starts a peer and waits for its first answer.
 *
 * @returns {Promise<{ name: string, version: string, port: number, url: string, processId: number,
 *   startMs: number, endedWith: () => string | undefined, stop: () => Promise<void> }>} `startMs` is the time from
 *   the start of the process to the answer; `endedWith` says why it no longer runs
 */
export async function startPeer(definition, options) {
  const found = definition.find(options);
  const folder = mkdtempSync(join(tmpdir(), `ledgerd-peers-${definition.name}-`));
  const port = await freePort();
  const [program, ...words] = definition.command(found, port, options);
  const started = performance.now();
  const child = spawn(program, words, {
    cwd: definition.folder,
    env: environmentOf(folder),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-2_000);
  });
  const ended = once(child, 'close');
  const watch = watchMemory(child, options.mostMemory);
  const endedWith = () => {
    if (child.exitCode === null && child.signalCode === null) return undefined;
    if (watch.isExceeded()) return `it was ended when it took ${options.mostMemory} MiB of memory`;
    return `it ended with ${child.signalCode ?? child.exitCode}: ${errors.trim().split('\n').at(-1)}`;
  };
  const stop = async () => {
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(killer);
    watch.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await firstAnswer(port, endedWith);
    const startMs = performance.now() - started;
    const url = `http://127.0.0.1:${port}`;
    await withConnection(port, async (connection) => {
      for (const [method, params] of definition.begin ?? []) await connection.call(method, ...params);
    });
    const { name } = definition;
    return { name, version: found.version, port, url, processId: child.pid, startMs, endedWith, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ends a process that takes too much memory: the machine is not to be without. */
function watchMemory(child, most) {
  let exceeded = false;
  const timer = setInterval(() => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    exceeded ||= memoryOf(child.pid).resident > most;
    if (exceeded) child.kill('SIGKILL');
  }, MEMORY_MS);
  return { isExceeded: () => exceeded, end: () => clearInterval(timer) };
}

async function firstAnswer(port, endedWith) {
  const end = performance.now() + START_MS;
  while (true) {
    try {
      await withConnection(port, (connection) => connection.call('eth_blockNumber'));
      return;
    } catch (error) {
      const reason = endedWith();
      if (reason !== undefined) throw new Error(reason);
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    }
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** @throws when a peer has ended, with what it wrote last */
export function expectRunning(peer) {
  const reason = peer.endedWith();
  if (reason !== undefined) throw new Error(reason);
}

/** MiB that a process and those that it started have in memory, and what of it they allocated themselves. */
export function memoryOf(processId) {
  const total = { resident: 0, own: 0 };
  for (const member of familyOf(processId)) {
    const status = readFileSync(`/proc/${member}/status`, 'utf8');
    const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1_024;
    total.resident += field('VmRSS');
    total.own += field('RssAnon');
  }
  return total;
}

/** Seconds of processor time: of a peer, of this process with those it waited for, and of the whole machine. */
export function processorTimes(peer) {
  const own = statOf('self');
  const peers = familyOf(peer.processId).map((member) => statOf(member));
  const [user, nice, system, , , interrupt, softInterrupt] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return {
    at: performance.now() / 1_000,
    peer: peers.reduce((sum, { self }) => sum + self, 0),
    tool: own.self + own.children,
    machine: (user + nice + system + interrupt + softInterrupt) / TICKS,
  };
}

/** Processors that were busy between two looks at the times: by the peer, by the load, by anything else. */
export function busyBetween(before, after) {
  const seconds = after.at - before.at;
  const share = (name) => (after[name] - before[name]) / seconds;
  return {
    peer: share('peer'),
    tool: share('tool'),
    others: Math.max(0, share('machine') - share('peer') - share('tool')),
  };
}

function statOf(processId) {
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ').at(-1).split(' ').map(Number);
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15);
  return { self: (user + system) / TICKS, children: (childrenUser + childrenSystem) / TICKS };
}

/** The text of a file; none when what it is about has just ended. */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** A process and all that it started, by their numbers. */
function familyOf(processId) {
  const children = readdirSync(`/proc/${processId}/task`).flatMap((task) =>
    textOf(`/proc/${processId}/task/${task}/children`).split(' ').filter(Boolean),
  );
  return [processId, ...children.flatMap(familyOf)];
}
