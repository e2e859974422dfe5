import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CommandFolders, run } from './chain.testing.ts';

const folders = new CommandFolders();

afterAll(() => folders.clean());

const LOG = ['--block-log', 'nats://127.0.0.1:1'];
/** Commands for a data folder, without it. */
const COMMANDS: readonly (readonly string[])[] = [
  ['start', '--port', '0'],
  ['start', '--test', '--port', '0'],
  ['config'],
  ['init'],
  ['info'],
  ['verify'],
  ['verify', '--quick'],
  ['backup', '--to', 'copy'],
  ['export', 'blocks.archive'],
  ['rollback', '--to', '1'],
  ['fork', 'pack', 'fork.pack'],
  ['block-log', 'seed', ...LOG],
];

const wordsOf = (command: readonly string[], dataDir: string) => [...command, '--data-dir', dataDir];

/** Expects that a failure names the reason of the system and the folder, and advises nothing. */
function expectReason(errors: string, reason: string, folder: string): void {
  expect(errors).toContain(reason);
  expect(errors).toContain(folder);
  expect(errors).not.toMatch(/there is no chain|has no chain|ledgerd init/);
}

describe('a folder that the system cannot read', () => {
  let loop = '';
  beforeAll(() => {
    loop = folders.unused('loop');
    symlinkSync(loop, loop);
  });

  test.each(COMMANDS.map((command) => [command.join(' '), command] as const))(
    'error: %s',
    async (_title, command) => {
      const { status, errors } = await run(wordsOf(command, loop));
      expect(status).not.toBe(0);
      expectReason(errors, 'ELOOP', loop);
    },
  );

  test('error: the state files of test mode', async () => {
    const path = join(loop, 'state.json');
    for (const flag of ['--state', '--load-state', '--dump-state']) {
      const { errors } = await run(['start', '--port', '0', flag, path]);
      expectReason(errors, 'ELOOP', loop);
    }
  });
});
