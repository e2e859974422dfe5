import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const DEPLOY = fileURLToPath(new URL('../deploy', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../bin/ledgerd.js', import.meta.url));
const NATS = 'nats:2.15.1-alpine';
const NUMBERS = [1, 2, 3];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-deploy-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An entry of the files' lists. */
interface Named {
  readonly name: string;
  readonly value: string;
  readonly metadata: { readonly name: string };
  readonly ports: readonly unknown[];
}

/** A service of Compose. */
interface ComposeService {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly volumes?: readonly (string & { source?: string; volume: { subpath: string } })[];
  readonly configs?: readonly { source: string }[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly healthcheck: { readonly test: readonly string[] };
}

function textOf(name: string): string {
  return readFileSync(join(DEPLOY, name), 'utf8');
}

/** Returns the settings of a node started with variables alone; throws if the program rejects one. */
function settingsBy(variables: Readonly<Record<string, string>>) {
  const env = { PATH: process.env.PATH, LEDGERD_DATA_DIR: folder, ...variables };
  const run = spawnSync(process.execPath, [PROGRAM, 'config'], { env, encoding: 'utf8' });
  expect([run.status, run.stderr]).toEqual([0, '']);
  return JSON.parse(run.stdout).settings;
}

test('default: npm run cluster prints its usage and rejects unknown options', () => {
  const script = fileURLToPath(new URL('../scripts/local-cluster.js', import.meta.url));
  const run = (word: string) => spawnSync(process.execPath, [script, word], { encoding: 'utf8' });
  const help = run('--help');
  expect([help.status, help.stderr]).toEqual([0, '']);
  for (const option of ['--folder', '--interval', '--workers', '--ethereum', 'NATS_SERVER', 'HAPROXY']) {
    expect(help.stdout).toContain(option);
  }
  const unknown = run('--ethereal');
  expect(unknown.status).toBe(2);
  expect(unknown.stderr).toContain("local-cluster: Unknown option '--ethereal'");
});

/** The path of a program: what a variable names, or one on the path. */
function programOf(variable: string, name: string): string | undefined {
  const { [variable]: named, PATH = '' } = process.env;
  if (named !== undefined && named !== '') return named;
  return PATH.split(delimiter)
    .map((path) => join(path, name))
    .find((path) => existsSync(path));
}

describe('the configurations that all deployments share', () => {
  const natsServer = programOf('NATS_SERVER', 'nats-server');
  const haproxy = programOf('HAPROXY', 'haproxy');

  test('default: the log server syncs to disk before it acknowledges', () => {
    expect(textOf('cluster/nats.conf')).toMatch(/^ {2}sync_interval: always$/m);
  });

  test.skipIf(natsServer === undefined)(
    'behavior: nats-server takes its configuration (skipped: no nats-server, see NATS_SERVER)',
    () => {
      const env = {
        SERVER_NAME: 'log-1',
        STORE: folder,
        ROUTES: '["nats://log-1:6222", "nats://log-2:6222"]',
      };
      const words = ['-t', '-c', join(DEPLOY, 'cluster/nats.conf')];
      const { status, stderr } = spawnSync(String(natsServer), words, { env, encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, expect.stringContaining('is valid')]);
    },
  );

  test.skipIf(haproxy === undefined)(
    'behavior: HAProxy takes its configuration (skipped: no HAProxy, see HAPROXY)',
    () => {
      const nodes = Object.fromEntries(NUMBERS.map((number) => [`NODE_${number}`, `127.0.0.1:${number}`]));
      const env = { ...process.env, ...nodes, LISTEN: '127.0.0.1:1' };
      const words = ['-c', '-f', join(DEPLOY, 'cluster/haproxy.cfg')];
      const { status, stdout, stderr } = spawnSync(String(haproxy), words, { env, encoding: 'utf8' });
      expect([status, stdout + stderr]).toEqual([0, 'Configuration file is valid\n']);
    },
  );

  test('behavior: the balancer knows the ids of filters', () => {
    const rules = [...textOf('cluster/haproxy.cfg').matchAll(/use_backend node-(\d) if .* -m reg '(.*)' }/g)];
    expect(rules.map(([, node]) => Number(node))).toEqual(NUMBERS);
    for (const [, node, expression = ''] of rules) {
      const idOf = (number: number) => `{"params":["0x100${number}${'0'.repeat(11)}1${'ab'.repeat(8)}"]}`;
      const matched = NUMBERS.filter((number) => new RegExp(expression).test(idOf(number)));
      expect(matched).toEqual([Number(node)]);
    }
  });
});

describe('compose.yaml', () => {
  const compose = parse(textOf('compose.yaml'), { merge: true });
  const services = Object.entries<ComposeService>(compose.services);
  const named = (prefix: string) => services.filter(([name]) => name.startsWith(prefix));

  test('default: three log servers, three nodes, a balancer and an init service', () => {
    expect(services.map(([name]) => name)).toEqual([
      ...NUMBERS.map((number) => `log-${number}`),
      'init',
      ...NUMBERS.map((number) => `node-${number}`),
      'balancer',
    ]);
    for (const [, { image }] of named('log-')) expect(image).toBe(NATS);
  });

  test('behavior: whatever a service names is there', () => {
    for (const [, service] of services) {
      expect(typeof service.image).toBe('string');
      const waitsFor = service.depends_on ?? [];
      for (const name of Array.isArray(waitsFor) ? waitsFor : Object.keys(waitsFor)) {
        expect(compose.services).toHaveProperty(name);
      }
      for (const { source } of service.configs ?? []) {
        expect(existsSync(join(DEPLOY, compose.configs[source].file))).toBe(true);
      }
      for (const volume of service.volumes ?? []) {
        expect(compose.volumes).toHaveProperty(volume.source ?? String(volume).replace(/:.*/, ''));
      }
    }
  });

  test('behavior: each log server has a disk, and knows all others', () => {
    const routes = NUMBERS.map((number) => `nats://log-${number}:6222`);
    for (const [name, { environment, volumes, healthcheck }] of named('log-')) {
      expect(environment).toMatchObject({ SERVER_NAME: name, STORE: '/data' });
      expect(JSON.parse(environment.ROUTES ?? '')).toEqual(routes);
      expect(volumes).toEqual([`${name}:/data`]);
      expect(healthcheck.test).toContain('http://127.0.0.1:8222/healthz');
    }
  });

  test('behavior: each node has a folder of its own, which is that of its keys', () => {
    const folders = named('node-').map(([name, { volumes }]) => [name, volumes?.[0]?.volume.subpath]);
    expect(folders).toEqual(NUMBERS.map((number) => [`node-${number}`, `node-${number}`]));
    const { command } = compose.services.init;
    expect(command.slice(0, 3)).toEqual(['init', '--producers', String(NUMBERS.length)]);
  });

  test('behavior: the settings of nodes are taken', () => {
    for (const [, { environment }] of named('node-')) {
      expect(settingsBy(environment)).toMatchObject({
        'max-lag': { value: 10, source: 'environment' },
        'log-format': { value: 'json' },
      });
      expect(environment.LEDGERD_BLOCK_LOG?.split(',')).toEqual(
        NUMBERS.map((number) => `nats://log-${number}:4222`),
      );
      expect(environment.LEDGERD_BLOCK_LOG_MONITOR?.split(',')).toEqual(
        NUMBERS.map((number) => `http://log-${number}:8222`),
      );
    }
  });

  test('behavior: the balancer connects to the nodes, and is reachable only from this machine', () => {
    const { environment, ports } = compose.services.balancer;
    for (const number of NUMBERS) expect(environment[`NODE_${number}`]).toBe(`node-${number}:8545`);
    expect(ports).toEqual(['127.0.0.1:8545:8545']);
  });
});

describe('kubernetes', () => {
  const files = readdirSync(join(DEPLOY, 'kubernetes')).filter((name) => name.endsWith('.yaml'));
  const documents = files.flatMap((name) =>
    parseAllDocuments(textOf(`kubernetes/${name}`)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    }),
  );
  const ofKind = (kind: string) => documents.filter((document) => document.kind === kind);
  const workloads = [...ofKind('StatefulSet'), ...ofKind('Deployment')];
  const nodes = ofKind('StatefulSet').filter(({ spec }) => spec.serviceName === 'ledgerd-nodes');

  test('default: every resource has its apiVersion, a unique name and the namespace', () => {
    const API: Readonly<Record<string, string>> = {
      Service: 'v1',
      PodDisruptionBudget: 'policy/v1',
      StatefulSet: 'apps/v1',
      Deployment: 'apps/v1',
    };
    for (const { apiVersion, kind, metadata } of documents) {
      expect(apiVersion).toBe(API[kind]);
      expect(metadata).toMatchObject({
        namespace: 'ledgerd',
        name: expect.stringMatching(/^[a-z0-9-]{1,63}$/),
      });
    }
    const names = documents.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(nodes).toHaveLength(NUMBERS.length);
  });

  test('behavior: selectors select pods, and services have the ports that they name', () => {
    for (const { spec } of workloads)
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    for (const { spec } of [...ofKind('Service'), ...ofKind('PodDisruptionBudget')]) {
      const labels = Object.entries(spec.selector.matchLabels ?? spec.selector);
      const selected = workloads.filter(({ spec: { template } }) =>
        labels.every(([label, value]) => template.metadata.labels[label] === value),
      );
      expect(selected).not.toEqual([]);
      for (const { spec: workload } of selected) {
        const open = workload.template.spec.containers.flatMap(({ ports }: Named) => ports);
        for (const { name, port } of spec.ports ?? []) {
          expect(open).toContainEqual({ name, containerPort: port });
        }
      }
    }
    for (const { spec } of ofKind('StatefulSet')) {
      expect(ofKind('Service').map(({ metadata }) => metadata.name)).toContain(spec.serviceName);
    }
  });

  test('behavior: containers have an image, limits, minimal privileges and only mounts that are declared', () => {
    for (const { spec } of workloads) {
      const { containers, initContainers = [], volumes = [], securityContext, affinity } = spec.template.spec;
      expect(securityContext.runAsNonRoot).toBe(true);
      expect(affinity.podAntiAffinity).toHaveProperty('requiredDuringSchedulingIgnoredDuringExecution');
      const claims = (spec.volumeClaimTemplates ?? []).map(({ metadata }: Named) => metadata.name);
      const there = [...volumes.map(({ name }: Named) => name), ...claims];
      for (const container of [...initContainers, ...containers]) {
        expect(container.image).toMatch(/^[a-z]+:[0-9a-z.-]+$/);
        expect(container.resources).toMatchObject({ requests: {}, limits: { memory: expect.any(String) } });
        expect(container.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
        });
        for (const { name } of container.volumeMounts) expect(there).toContain(name);
      }
    }
  });

  test('behavior: probes use declared ports, and failing health does not restart a node', () => {
    for (const { spec } of workloads) {
      for (const container of spec.template.spec.containers) {
        const ports = container.ports.map(({ name }: Named) => name);
        for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
          const { httpGet, tcpSocket } = container[probe] ?? {};
          if (container[probe] !== undefined) expect(ports).toContain((httpGet ?? tcpSocket).port);
        }
      }
    }
    for (const { spec } of nodes) {
      const [{ readinessProbe, livenessProbe }] = spec.template.spec.containers;
      expect(readinessProbe.httpGet).toMatchObject({ path: '/health' });
      expect(livenessProbe).not.toHaveProperty('httpGet');
    }
  });

  test('behavior: the nodes are alike but for their number, one pod each, with keys of their own', () => {
    const [first, ...others] = nodes.map((node, index) => {
      const number = index + 1;
      expect(node.spec.replicas).toBe(1);
      expect(node.spec.template.spec.volumes).toEqual([
        { name: 'keys', secret: { secretName: `ledgerd-${number}`, defaultMode: 0o440 } },
      ]);
      return JSON.stringify(node).replaceAll(`"ledgerd-${number}"`, '"ledgerd-N"');
    });
    for (const other of others) expect(other).toBe(first);
  });

  test('behavior: the settings of nodes are taken', () => {
    for (const { spec } of nodes) {
      const [{ env }] = spec.template.spec.containers;
      const variables = Object.fromEntries(env.map(({ name, value }: Named) => [name, value]));
      expect(settingsBy(variables)).toMatchObject({
        'max-lag': { value: 10 },
        'allow-host': { value: ['ledgerd'] },
      });
      const servers = [0, 1, 2].map((index) => `ledgerd-log-${index}.ledgerd-log`);
      expect(variables.LEDGERD_BLOCK_LOG).toBe(servers.map((server) => `nats://${server}:4222`).join(','));
      expect(variables.LEDGERD_BLOCK_LOG_MONITOR).toBe(
        servers.map((server) => `http://${server}:8222`).join(','),
      );
    }
  });

  test('behavior: the log has three servers that know one another, on disks', () => {
    const [log] = ofKind('StatefulSet').filter(({ metadata }) => metadata.name === 'ledgerd-log');
    const [{ image, env }] = log.spec.template.spec.containers;
    expect([log.spec.replicas, image]).toEqual([3, NATS]);
    const routes = env.find(({ name }: Named) => name === 'ROUTES').value;
    expect(JSON.parse(routes)).toEqual(
      [0, 1, 2].map((index) => `nats://ledgerd-log-${index}.ledgerd-log:6222`),
    );
    expect(log.spec.volumeClaimTemplates).toHaveLength(1);
  });
});
