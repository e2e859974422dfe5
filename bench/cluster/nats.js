/** A server of a log, or several. */

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from '../../test/free-ports.js';

/**
 * @typedef {object} LogServers
 * @property {readonly string[]} words flags of a node, by which it uses them
 * @property {() => Promise<void>} stop
 */

/**
 * Starts servers that sync writes to disk before they confirm them.
 *
 * @param {string} folder for what they store
 * @param {number} count
 * @param {string} program nats-server
 * @returns {Promise<LogServers>}
 */
export async function startLogServers(folder, count, program) {
  const ports = await freePorts(3 * count);
  const at = (index) => ports[index] ?? 0;
  const indexes = Array.from({ length: count }, (_, index) => index);
  const routes = indexes.map((index) => `nats://127.0.0.1:${at(2 * count + index)}`).join(', ');
  const children = indexes.map((index) => {
    const store = join(folder, `log-${index + 1}`);
    mkdirSync(store, { recursive: true });
    const cluster = `cluster { name: bench, listen: "127.0.0.1:${at(2 * count + index)}", routes: [${routes}] }`;
    const file = `${store}.conf`;
    writeFileSync(
      file,
      `server_name: log-${index + 1}\nlisten: "127.0.0.1:${at(index)}"\nhttp: "127.0.0.1:${at(count + index)}"\n` +
        `jetstream { store_dir: "${store}"\nsync_interval: always }\n${count > 1 ? cluster : ''}\n`,
    );
    return spawn(program, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  });
  await Promise.all(children.map(untilReady));
  const urls = indexes.map((index) => `nats://127.0.0.1:${at(index)}`);
  return {
    words: [
      ...['--block-log', urls.join(','), '--block-log-replicas', String(count)],
      ...indexes.flatMap((index) => ['--block-log-monitor', `http://127.0.0.1:${at(count + index)}`]),
    ],
    stop: async () => {
      await Promise.all(
        children.map((child) => {
          const ended = new Promise((resolve) => child.once('exit', resolve));
          return child.kill('SIGKILL') ? ended : undefined;
        }),
      );
    },
  };
}

/** @param {import('node:child_process').ChildProcess} child */
function untilReady(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => reject(new Error(`nats-server ended with ${status}`)));
    if (child.stderr === null) return;
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.includes('Server is ready')) resolve(undefined);
    });
  });
}
