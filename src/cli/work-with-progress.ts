import type { Work, WorkUnit } from '../node/index.ts';
import type { Environment } from './environment.ts';
import { CommandError } from './errors.ts';
import { type CountDisplay, countDisplay } from './progress.ts';

/** What a command needs to know of its long work when it is over. */
export interface Done<T> {
  readonly result: T;
  readonly seconds: number;
}

/** Does long work with its progress shown, and asks it to stop when the process is asked to. */
export async function doWork<T>(
  environment: Environment,
  action: (work: Work) => Promise<T>,
): Promise<Done<T>> {
  const controller = new AbortController();
  void environment
    .stopRequested()
    .then(() => controller.abort(new CommandError('INTERRUPTED', 'interrupted')));
  const began = performance.now();
  let shown: { readonly unit: WorkUnit; readonly display: CountDisplay } | undefined;
  const onProgress: Work['onProgress'] = (unit, done, total) => {
    if (shown?.unit !== unit) {
      shown?.display.end();
      shown = { unit, display: countDisplay(environment, unit) };
    }
    shown.display.update(done, total);
  };
  try {
    const result = await action({ stop: controller.signal, onProgress });
    return { result, seconds: (performance.now() - began) / 1_000 };
  } finally {
    shown?.display.end();
  }
}
