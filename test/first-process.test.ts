import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NodeProcess } from './node-process.ts';

/** Runs what follows as the first process of a container. */
const FIRST = ['unshare', '--pid', '--fork', '--kill-child'] as const;
const [UNSHARE, ...WORDS] = FIRST;

/** Sends a signal to its own process before the program is read. */
const PRELOADED = `
  const fs = require('node:fs');
  const { readFileSync } = fs;
  fs.readFileSync = (path, ...rest) => {
    if (String(path).endsWith('ledgerd.cjs')) process.kill(process.pid, process.env.EARLY_SIGNAL);
    return readFileSync(path, ...rest);
  };`;

test.runIf(spawnSync(UNSHARE, [...WORDS, 'true']).status === 0).each(['SIGTERM', 'SIGINT'])(
  'behavior: %s while the first process of a container starts ends it',
  async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-first-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const preloaded = join(folder, 'preloaded.cjs');
    writeFileSync(preloaded, PRELOADED);
    const variables = [`NODE_OPTIONS=--require=${preloaded}`, `EARLY_SIGNAL=${signal}`];
    const words = ['start', '--test', '--port', '0', '--log-format', 'json'];
    const node = new NodeProcess(words, [...FIRST, 'env', ...variables]);
    onTestFinished(async () => void (node.isRunning && (await node.end('SIGKILL'))));
    expect(await node.ended()).toEqual({ status: 0, signal: null });
    expect(node.output).toContain('"event":"stopped"');
  },
);
