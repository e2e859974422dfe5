import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('power-cut.c', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../build/power-cut', import.meta.url));

/** Bytes of a disk, of which its file has those that are written. */
const DISK_BYTES = '2G';
/** Number and pauses of attempts to unmount, until the system has closed the files of a process. */
const UNMOUNT_TRIES = 100;
const UNMOUNT_MS = 100;

/** Disks of this machine, each a file with a file system of its own, whose power can be cut all at once. */
export class Disks {
  /** Mount points. */
  readonly folders: readonly string[];
  readonly #images: readonly string[];

  private constructor(folders: readonly string[], images: readonly string[]) {
    this.folders = folders;
    this.#images = images;
  }

  /**
   * Makes disks below a folder; it takes root, and a C compiler.
   *
   * @throws what the system's programs say
   */
  static open(folder: string, count: number): Disks {
    mkdirSync(join(PROGRAM, '..'), { recursive: true });
    execFileSync('cc', ['-O2', '-Wall', '-Werror', '-o', PROGRAM, SOURCE], { stdio: 'pipe' });
    const places = Array.from({ length: count }, (_, index) => join(folder, `disk-${index + 1}`));
    const disks = new Disks(
      places,
      places.map((place) => `${place}.ext4`),
    );
    for (const [place, image] of disks.#pairs()) {
      mkdirSync(place);
      execFileSync('truncate', ['--size', DISK_BYTES, image]);
      execFileSync('mkfs.ext4', ['-q', '-F', image], { stdio: 'pipe' });
      mount(image, place);
    }
    return disks;
  }

  /** Writes what waits in memory: what was set up before a run is old by then. */
  settle(): void {
    for (const place of this.folders) execFileSync('sync', ['--file-system', place]);
  }

  /** Cuts the power of all of them: what was not synced never gets there. */
  cut(): void {
    execFileSync(PROGRAM, this.folders, { stdio: 'pipe' });
  }

  /** Has the power again, when nobody uses them any more: the file systems find out what they have. */
  async restore(): Promise<void> {
    for (const [place, image] of this.#pairs()) {
      await unmount(place);
      mount(image, place);
    }
  }

  async close(): Promise<void> {
    for (const place of this.folders) await unmount(place);
  }

  #pairs(): (readonly [place: string, image: string])[] {
    return this.folders.map((place, index) => [place, this.#images[index] ?? ''] as const);
  }
}

function mount(image: string, place: string): void {
  execFileSync('mount', ['-o', 'loop', image, place], { stdio: 'pipe' });
}

async function unmount(place: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    if (spawnSync('mountpoint', ['--quiet', place]).status !== 0) return;
    const { status, stderr } = spawnSync('umount', [place], { encoding: 'utf8' });
    if (status === 0) return;
    if (tries === UNMOUNT_TRIES) throw new Error(stderr);
    await delay(UNMOUNT_MS);
  }
}
