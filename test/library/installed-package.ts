import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the sources. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A project with the package installed from its tarball. */
export interface PackageProject {
  readonly folder: string;
  /** Path of the tarball. */
  readonly tarball: string;
  /** Runs a program in the project, without a network, and returns its standard output. Throws for another status. */
  run(program: string, words: readonly string[], variables?: Readonly<Record<string, string>>): string;
  remove(): void;
}

/** Runs a program and returns its standard output. Throws if it ends with another status than 0. */
export function run(
  program: string,
  words: readonly string[],
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...variables },
  });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** Packs a checkout into a folder, and returns the path of the tarball. */
export function pack(checkout: string, destination: string): string {
  const packed = run('npm', ['pack', '--json', '--pack-destination', destination], checkout);
  const [{ filename }] = JSON.parse(packed);
  return join(destination, filename);
}

/** Packs the sources, and installs the package into an empty project, from the local cache of npm where it has all. */
export function installPackage(): PackageProject {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  const tarball = pack(ROOT, folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "suite", "private": true, "type": "module" }');
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  run('npm', ['install', ...flags, tarball], folder);
  return {
    folder,
    tarball,
    run: (program, words, variables) => {
      const [command = program, ...rest] = [...WITHOUT_NETWORK, program, ...words];
      return run(command, rest, folder, variables);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** A command that runs what follows it in a network with nothing but the loopback interface; empty if none can. */
export const WITHOUT_NETWORK: readonly string[] = wrapper();

function wrapper(): readonly string[] {
  const inNamespace = ['sh', '-c', 'ip link set lo up && exec "$0" "$@"'];
  const wrappers = [['--net'], ['--user', '--map-root-user', '--net']].map((flags) => [
    'unshare',
    ...flags,
    ...inNamespace,
  ]);
  return (
    wrappers.find(([command = '', ...words]) => spawnSync(command, [...words, 'true']).status === 0) ?? []
  );
}
