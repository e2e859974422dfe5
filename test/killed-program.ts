import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROGRAM } from './program.ts';

/**
 * Loaded before the program: ends it by SIGKILL just before it changes names or flushes files of its data folder for
 * the n-th time.
 */
const KILLER = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  let left = Number(process.env.KILLED_BEFORE);
  for (const name of ['mkdirSync', 'linkSync', 'renameSync', 'rmSync', 'fsyncSync']) {
    const real = fs[name];
    fs[name] = (...parameters) => {
      const isOurs = name === 'fsyncSync' || String(parameters[0]).startsWith(process.env.KILLED_FOR);
      if (isOurs && --left === 0) process.kill(process.pid, 'SIGKILL');
      return real(...parameters);
    };
  }
  syncBuiltinESMExports();
`;

/**
 * Runs a command that is killed before its n-th step with files of a data folder.
 * @returns its status; undefined when it was killed
 */
export async function killedBeforeStep(
  words: readonly string[],
  dataDir: string,
  step: number,
): Promise<number | undefined> {
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(KILLER)}`;
  const killing = { NODE_OPTIONS, KILLED_BEFORE: String(step), KILLED_FOR: dataDir };
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    stdio: 'ignore',
    env: { ...process.env, ...killing },
  });
  const [status, signal] = await once(child, 'close');
  return signal === 'SIGKILL' ? undefined : status;
}
