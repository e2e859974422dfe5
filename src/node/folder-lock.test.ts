import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockAddress, lockFolder } from './folder-lock.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-lock-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Listens at the address of a folder's claim in a process that is killed meanwhile. */
function claimAndCrash(path: string, platform: NodeJS.Platform): void {
  const program = `require('node:net')
    .createServer()
    .listen(${JSON.stringify(lockAddress(path, platform))}, () => process.kill(process.pid, 'SIGKILL'))`;
  const { signal, stderr } = spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8' });
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
}

// The second kind of claim is a socket in a file, which the system does not take back by itself.
describe.each<NodeJS.Platform>([process.platform, 'darwin'])('as on %s', (platform) => {
  test('default: one claim at a time', async () => {
    const letGo = await lockFolder(folder, platform);
    await expect(lockFolder(folder, platform)).rejects.toThrow(
      `the data folder ${folder} is in use by another running ledgerd`,
    );
    await letGo();
    const again = await lockFolder(folder, platform);
    await again();
  });

  test('behavior: the same folder by another path', async () => {
    const path = join(folder, 'real');
    mkdirSync(path);
    symlinkSync(path, join(folder, 'link'));
    const letGo = await lockFolder(path, platform);
    await expect(lockFolder(join(folder, 'link'), platform)).rejects.toThrow('is in use');
    await letGo();
  });

  test('behavior: another folder', async () => {
    const path = join(folder, 'other');
    mkdirSync(path);
    const claims = [await lockFolder(folder, platform), await lockFolder(path, platform)];
    for (const letGo of claims) await letGo();
  });

  test('behavior: a crash takes the claim with it', async () => {
    claimAndCrash(folder, platform);
    const letGo = await lockFolder(folder, platform);
    await letGo();
  });
});
