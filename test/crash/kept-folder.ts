import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrashFinding } from './finding.ts';

/** A run of a campaign, whose processes are killed when it fails. */
export interface CampaignRun {
  abandon(): Promise<void>;
}

/**
 * Works in a new folder, which goes afterwards.
 *
 * @param start begins a run in the folder
 * @throws CrashFinding, with the seed, for whatever the work throws; the folder stays then
 */
export async function inKeptFolder<Run extends CampaignRun, Result>(
  { name, seed }: { readonly name: string; readonly seed: number },
  start: (folder: string) => Run,
  work: (run: Run, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), `ledgerd-${name}-`));
  const run = start(folder);
  try {
    const result = await work(run, folder);
    rmSync(folder, { recursive: true, force: true });
    return result;
  } catch (error) {
    await run.abandon();
    const message = error instanceof Error ? error.message : String(error);
    throw new CrashFinding(`seed ${seed}: ${message}\nthe folder is kept: ${folder}`, { cause: error });
  }
}
