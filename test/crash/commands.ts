import { NodeProcess } from '../node-process.ts';
import { CrashFinding } from './finding.ts';

/** Seconds between two blocks. */
export const BLOCK_INTERVAL = 0.25;

/** Runs `ledgerd start` on a folder. */
export function startIn(folder: string): NodeProcess {
  const words = ['--data-dir', folder, '--port', '0', '--min-free-space', '0'];
  return new NodeProcess(['start', ...words, '--block-interval', `${BLOCK_INTERVAL}`]);
}

/** Runs `ledgerd verify` on the folder of a node that does not run. @throws CrashFinding unless all is well */
export async function verify(folder: string, ...words: readonly string[]): Promise<void> {
  const verification = new NodeProcess(['verify', '--data-dir', folder, ...words]);
  const { status } = await verification.ended();
  if (status === 0) return;
  throw new CrashFinding(`verify ${words.join(' ')} ends with status ${status}\n${verification.output}`);
}
