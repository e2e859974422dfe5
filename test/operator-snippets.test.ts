import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  NATS_SERVER,
  NatsServers,
  WITHOUT_SERVER,
} from '../src/node/block-log/jetstream/nats-servers.testing.ts';
import { freePorts } from './free-ports.js';
import { PROGRAM } from './program.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Printed by commands that run until they are interrupted, once they are ready. */
const READY = /^Endpoint|"event":"started"|^Ctrl\+C ends/m;

/** The line about missing native add-ons, which depends on the machine. */
const OF_MACHINE = /^.* info signatures are recovered in WebAssembly .*\n/m;
/** Milliseconds that output may take to be as documented. */
const OUTPUT_MS = 10_000;

/** The preparation that the text around a block describes; `stop` ends the nodes of the blocks before. */
const BEFORE: readonly (readonly [document: string, beginning: string, commands: string])[] = [
  ['docs/configuration.md', '(umask', 'LEDGERD_MIN_FREE_SPACE= ledgerd start --port 8545'],
  [
    'docs/operations.md',
    '$ ledgerd verify --data-dir /var/lib/ledgerd\nledgerd: cannot',
    'ledgerd init --data-dir /var/lib/ledgerd --block-interval 0.1\nledgerd start --data-dir /var/lib/ledgerd',
  ],
  ['docs/operations.md', '$ ledgerd import', 'sleep 1'],
  ['docs/operations.md', '$ ledgerd verify --data-dir /var/lib/ledgerd\nthe chain', 'stop'],
  [
    'docs/operations.md',
    'ledgerd export --data-dir /var/lib/damaged',
    'cp -r /var/lib/ledgerd /var/lib/damaged',
  ],
  ['docs/cluster.md', 'ledgerd start', 'stop\nmkdir -p /var/lib && cp -r cluster/node-1 /var/lib/ledgerd'],
  [
    'docs/cluster.md',
    'export LEDGERD_BLOCK_LOG',
    'stop\nrm -r /var/lib/ledgerd\nledgerd init --data-dir /var/lib/ledgerd --block-interval 0.1\n' +
      'ledgerd start --data-dir /var/lib/ledgerd\nsleep 1\nstop',
  ],
  ['docs/block-log.md', 'ledgerd start', 'ledgerd init --data-dir /var/lib/ledgerd'],
];

/** Blocks that no test runs: the document, the beginning of the block, and the reason. */
const NOT_RUN: readonly (readonly [document: string, beginning: string, reason: string])[] = [
  ['docs/configuration.md', 'source <(', 'a line for each of three shells'],
  ['docs/operations.md', 'ssh ', 'needs a second machine'],
  ['docs/operations.md', 'ledgerd fork pack', 'needs a remote node: src/node/fork has tests of packs'],
  ['docs/cluster.md', 'work=', 'downloads from Debian'],
];

/** Returns the commands of a document, each block with its text, also from lists. */
function blocksOf(document: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^( *)```(?:sh|console)\n(.*?)^ *```/gms)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** Commands that have ended, or are ready to serve and still run. */
interface Run {
  readonly isWell: boolean;
  readonly hasEnded: boolean;
  /** Returns standard output and standard error so far. */
  output(): string;
}

/** A machine as the documents describe it: `ledgerd` on the path, with a folder in place of `/`. */
class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), 'ledgerd-machine-'));
  readonly #replacements: readonly (readonly [from: string, to: string])[];
  readonly #running: ChildProcess[] = [];

  constructor(replacements: readonly (readonly [from: string, to: string])[]) {
    const folders = ['/var/lib/', '/var/backups/'];
    this.#replacements = [
      ...folders.map((path): [string, string] => [path, `${this.folder}${path}`]),
      ...replacements,
    ];
    for (const path of ['bin', ...folders]) mkdirSync(join(this.folder, path), { recursive: true });
    symlinkSync(PROGRAM, join(this.folder, 'bin/ledgerd'));
    // The documents name the folder of the clone by where its commands begin.
    writeFileSync(join(this.folder, 'bin/npm'), `#!/bin/sh\ncd ${ROOT} && exec ${which('npm')} "$@"\n`, {
      mode: 0o755,
    });
  }

  /** Runs commands to their end, or until they are ready to serve. */
  async run(commands: string): Promise<Run> {
    const text = this.#replacements.reduce((all, [from, to]) => all.replaceAll(from, to), commands);
    const { PATH = '' } = process.env;
    const env = {
      ...{ ...process.env, PATH: `${join(this.folder, 'bin')}${delimiter}${PATH}` },
      ...{ LEDGERD_PORT: '0', LEDGERD_MIN_FREE_SPACE: '0' },
    };
    const options = { cwd: this.folder, env, detached: true } as const;
    const child = spawn('bash', ['-e', '-c', `exec 2>&1\n${text}`], options);
    let output = '';
    const ready = new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        output += part;
        if (READY.test(output)) resolve();
      });
    });
    const status = await Promise.race([once(child, 'close').then(([code]) => Number(code)), ready]);
    if (status === undefined) this.#running.push(child);
    return {
      isWell: status === undefined || status === 0,
      hasEnded: status !== undefined,
      output: () => output.replaceAll(this.folder, '').replace(OF_MACHINE, ''),
    };
  }

  /** Interrupts what still runs. */
  async stop(): Promise<void> {
    for (const child of this.#running.splice(0).reverse()) {
      const ended = once(child, 'close');
      process.kill(-Number(child.pid), 'SIGINT');
      await ended;
    }
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function which(name: string): string {
  return spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim();
}

/** Returns an expression for output in which numbers, keys, hashes, units and lines of `…` may be others. */
function patternOf(expected: string, hasEnded: boolean): RegExp {
  const source = expected
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/^…\n/gm, '(?:.*\n)*')
    .replaceAll(/ECHO\w{40,}|(?:0x)?[0-9a-f]{16,}|\d+(?:\\\.\d+)?/g, String.raw`[\w,.]+`)
    .replaceAll(/\b[KMG]iB\b/g, '(?:[KMG]i)?B');
  return new RegExp(`^${source}${hasEnded ? '$' : ''}`);
}

/** Splits a block into commands and their expected output, undefined for a block of `sh`. */
function sessionOf(block: string): { readonly command: string; readonly expected: string | undefined }[] {
  if (!block.startsWith('$ ')) return [{ command: block, expected: undefined }];
  return block.split(/^\$ /m).flatMap((part) => {
    const [command = '', ...lines] = part.split('\n');
    return command === '' ? [] : [{ command, expected: lines.join('\n') }];
  });
}

/** Runs the blocks of a document in order, since each finds what those before it have left. */
function testBlocks(document: string, machineOf: () => Machine): void {
  const isOf =
    (block: string) =>
    ([name, beginning]: readonly [string, string, string]) =>
      name === document && block.startsWith(beginning);
  const blocks = blocksOf(document).filter((block) => !NOT_RUN.some(isOf(block)));
  test.each(blocks.map((block) => [block.split('\n')[0], block]))(
    'default: %s',
    async (_title, block = '') => {
      const machine = machineOf();
      for (const line of (BEFORE.find(isOf(block))?.[2] ?? '').split('\n')) {
        if (line === 'stop') await machine.stop();
        else expect(await machine.run(line)).toMatchObject({ isWell: true });
      }
      for (const { command, expected } of sessionOf(block)) {
        const { isWell, hasEnded, output } = await machine.run(command);
        if (expected === undefined) expect([isWell, isWell ? '' : output()]).toEqual([true, '']);
        // A node that runs prints its first blocks later.
        else await expect.poll(output, { timeout: OUTPUT_MS }).toMatch(patternOf(expected, hasEnded));
      }
    },
  );
}

describe.each(['docs/configuration.md', 'docs/operations.md', 'docs/nodes.md'])('%s', (document) => {
  let machine: Machine;
  beforeAll(async () => {
    const documented = ['8545', '9701', '9702'];
    const ports = await freePorts(documented.length);
    machine = new Machine(documented.map((port, index) => [port, String(ports[index])]));
  });
  afterAll(() => machine.remove());
  testBlocks(document, () => machine);
});

describe.skipIf(NATS_SERVER === undefined)(`with servers of a block log${WITHOUT_SERVER}`, () => {
  let servers: NatsServers;
  beforeAll(async () => {
    servers = await NatsServers.start({ count: 3 });
  });
  afterAll(() => servers.stop());

  describe.each(['docs/cluster.md', 'docs/block-log.md'])('%s', (document) => {
    let machine: Machine;
    beforeAll(() => {
      const numbered = servers.servers.flatMap(({ port, monitor }, index): [string, string][] => [
        [`10.0.0.${index + 1}:4222`, `127.0.0.1:${port}`],
        [`http://10.0.0.${index + 1}:8222`, monitor],
      ]);
      machine = new Machine([...numbered, ['./nats-server', String(NATS_SERVER)], ['10.0.0.1', '127.0.0.1']]);
    });
    afterAll(() => machine.remove());
    testBlocks(document, () => machine);
  });

  test('args: nats-server accepts the configuration of docs/block-log.md', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-nats-'));
    const text = readFileSync(join(ROOT, 'docs/block-log.md'), 'utf8');
    const [, lines = ''] = /^```\n(server_name: .*?)^```/ms.exec(text) ?? [];
    const file = join(folder, 'nats.conf');
    writeFileSync(file, lines.replace('/var/lib/nats', folder));
    const { status, stderr } = spawnSync(String(NATS_SERVER), ['-t', '-c', file], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.stringContaining('is valid')]);
    rmSync(folder, { recursive: true });
  });
});

test('behavior: every exception is needed', () => {
  const all = new Map([...BEFORE, ...NOT_RUN].map(([document]) => [document, blocksOf(document)]));
  const needless = [...BEFORE, ...NOT_RUN].filter(
    ([document, beginning]) => !all.get(document)?.some((block) => block.startsWith(beginning)),
  );
  expect(needless).toEqual([]);
});
