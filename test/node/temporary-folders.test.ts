import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROGRAM } from '../program.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const names = (): string[] => readdirSync(folder).filter((name) => name.startsWith('ledgerd-'));

/** Starts the program with its own folder of temporary files, and returns the new name in it and the process. */
async function start() {
  const before = names();
  const child = spawn(process.execPath, [PROGRAM, 'start', '--port', '0', '--log-format', 'json'], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  let log = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    log += text;
    if (log.includes('"event":"started"')) break;
  }
  child.stdout.resume();
  const name = names().find((one) => !before.includes(one)) ?? '';
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return { name, id: child.pid ?? 0, end };
}

test('behavior: a start removes the folder of a killed node, and none that may be in use', async () => {
  const killed = await start();
  await killed.end('SIGKILL');
  expect(names()).toEqual([killed.name]);
  const running = await start();
  const [, scope = '', , moment = ''] = running.name.split('-').slice(0, 4);
  const kept = [
    running.name,
    // Of another container or an earlier start of the system, whose process ids mean nothing here.
    `ledgerd-${'0'.repeat(scope.length)}-${killed.id}-1-AAAAAA`,
    'ledgerd-AAAAAA',
    `ledgerd-${scope}-${killed.id}-1-AAAAAA.json`,
  ];
  // The id of a process that runs, with the start of an earlier one.
  const reused = `ledgerd-${scope}-${running.id}-${Number(moment) - 1}-AAAAAA`;
  const link = `ledgerd-${scope}-${killed.id}-1-CCCCCC`;
  const file = `ledgerd-${scope}-${killed.id}-1-DDDDDD`;
  for (const name of [...kept.slice(1), reused]) mkdirSync(join(folder, name));
  mkdirSync(join(folder, 'target'));
  symlinkSync(join(folder, 'target'), join(folder, link));
  writeFileSync(join(folder, file), '');
  kept.push(link, file);
  if (process.getuid?.() === 0) {
    const foreign = `ledgerd-${scope}-${killed.id}-1-BBBBBB`;
    // A process that has just started may still look at names, and has to see nothing of its own under this one.
    mkdirSync(join(folder, 'foreign'));
    chownSync(join(folder, 'foreign'), 12_345, 12_345);
    renameSync(join(folder, 'foreign'), join(folder, foreign));
    kept.push(foreign);
  }
  const several = await Promise.all([start(), start()]);
  await expect.poll(names, { timeout: 60_000 }).not.toContain(reused);
  await expect.poll(names, { timeout: 60_000 }).not.toContain(killed.name);
  await Promise.all(several.map(({ end }) => end('SIGTERM')));
  expect(names().sort()).toEqual(kept.sort());
  await running.end('SIGTERM');
  expect(names()).not.toContain(running.name);
});
