import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DEFAULT_CONFIGURATION, startTestNode } from '../../node/index.ts';
import { testEnvironment } from '../environment.testing.ts';
import { main } from '../main.ts';

/** The exit status and the output of a run of the program. */
export interface Run {
  readonly status: number;
  readonly output: string;
  readonly bytes: Uint8Array;
  readonly errors: string;
}

/** Runs the program in this process, optionally with an earlier request to stop. */
export async function run(
  words: readonly string[],
  { input, isStopped = false }: { input?: Readable; isStopped?: boolean } = {},
): Promise<Run> {
  const { environment, output, bytes, errors, stop } = testEnvironment({}, input);
  if (isStopped) stop();
  const status = await main(words, environment);
  return { status, output: output(), bytes: bytes(), errors: errors() };
}

/** Adds blocks to the chain of test mode in a folder, each with the registration of an account. */
export async function addBlocks(dataDir: string, blocks: number): Promise<void> {
  const node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, dataDir });
  for (let made = 0; made < blocks; made += 1) node.wallet.create('');
  await node.close();
}

/** Folders of one test file, which `clean` removes. */
export class CommandFolders {
  readonly #folders: string[] = [];

  /** A new, empty folder. */
  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-command-'));
    this.#folders.push(folder);
    return folder;
  }

  /** The path of something that is not there yet. */
  unused(name: string): string {
    return join(this.folder(), name);
  }

  clean(): void {
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}
