import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { NodeProcess } from './node-process.ts';
import { PROGRAM } from './program.ts';

const DEPLOY = fileURLToPath(new URL('../deploy', import.meta.url));
const textOf = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');
const instructionOf = (instruction: string) =>
  new RegExp(`^${instruction} (\\S+)$`, 'm').exec(textOf('Dockerfile'))?.[1];

const single = parse(textOf('compose-node.yaml'), { merge: true });
const watched = parse(textOf('compose-prometheus.yaml'), { merge: true });
const { init, node } = single.services;
const { prometheus } = watched.services;

const folder = mkdtempSync(join(tmpdir(), 'ledgerd-deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('default: a node uses the image, its volume and its port', () => {
  for (const { image, build, volumes } of [init, node]) {
    expect(image).toBe('ledgerd');
    expect(existsSync(join(DEPLOY, build.context, build.dockerfile))).toBe(true);
    expect(volumes).toEqual([`${Object.keys(single.volumes)}:${instructionOf('VOLUME')}`]);
  }
  expect(node.ports).toEqual([`127.0.0.1:${instructionOf('EXPOSE')}:${instructionOf('EXPOSE')}`]);
});

test('default: Prometheus is beside the same node', () => {
  for (const [name, service] of Object.entries({ init, node })) {
    expect(watched.services[name]).toEqual({ extends: { file: 'compose-node.yaml', service: name } });
    expect(service).toBeDefined();
  }
  expect(watched.volumes).toHaveProperty(Object.keys(single.volumes));
  expect(prometheus.image).toMatch(/^prom\/prometheus:v\d+\.\d+\.\d+$/);
  expect(prometheus.configs.map(({ source }: { source: string }) => source)).toEqual(
    Object.keys(watched.configs),
  );
  expect(existsSync(join(DEPLOY, watched.configs.prometheus.file))).toBe(true);
  expect(prometheus.command[0]).toBe(`--config.file=${prometheus.configs[0].target}`);
  for (const port of prometheus.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test.skipIf(process.platform === 'win32')(
  'behavior: the commands begin and run a node, and Prometheus gets its metrics',
  async () => {
    const dataDir = join(folder, 'node');
    const env = { PATH: process.env.PATH, LEDGERD_DATA_DIR: dataDir };
    const begun = spawnSync(process.execPath, [PROGRAM, ...init.command], { env, encoding: 'utf8' });
    expect([begun.status, begun.stderr]).toEqual([0, '']);
    const settings = {
      ...node.environment,
      LEDGERD_DATA_DIR: dataDir,
      LEDGERD_PORT: '0',
      LEDGERD_MIN_FREE_SPACE: '0',
    };
    const inContainer = ['env', ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];
    const running = new NodeProcess(node.command, inContainer);
    const { port } = new URL(await running.ready());
    const [job] = parse(textOf('prometheus.yml')).scrape_configs;
    const [target] = job.static_configs[0].targets;
    expect(target).toBe(`node:${instructionOf('EXPOSE')}`);
    expect(await metricsOf(port, target)).toContain('ledgerd_block_height ');
    expect(await running.end('SIGTERM')).toEqual({ status: 0, signal: null });
  },
);

/** Requests the metrics of a local node by the name that another container knows it by. */
function metricsOf(port: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/metrics', headers: { host } }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    sent.on('error', reject).end();
  });
}
