import type { JobControl } from '../node/index.ts';
import { interrupted } from './command-errors.ts';
import type { Environment } from './environment.ts';

interface Progress {
  /** Completed share, from 0 to 1; undefined if unknown. */
  readonly share: number | undefined;
  /** Text beside it, without a line feed. */
  readonly text: string;
}

const BAR_CHARACTERS = 24;
/** Seconds between two drawings on a terminal, and between two lines elsewhere. */
const DRAWING_SECONDS = 0.1;
const LINE_SECONDS = 10;

/** Clears the line (ECMA-48, EL). */
const CLEAR_LINE = '\r\x1b[K';

/** The output of a display: the standard error, so that it does not mix with results. */
type Screen = Pick<Environment, 'hasTerminal' | 'printError'>;

/** Creates a display of progress: a line that is replaced on a terminal, elsewhere a line every ten seconds. */
export function progressDisplay({ hasTerminal, printError }: Screen) {
  const interval = hasTerminal ? DRAWING_SECONDS : LINE_SECONDS;
  let shown = hasTerminal ? Number.NEGATIVE_INFINITY : 0;
  return {
    /** Shows the progress at most once in an interval. @param seconds since the start of the task */
    update: (seconds: number, progress: () => Progress): void => {
      if (seconds - shown < interval) return;
      shown = seconds;
      const { share, text } = progress();
      const bar = share === undefined ? '' : `${barOf(share)} `;
      printError(hasTerminal ? `${CLEAR_LINE}${bar}${text}` : `${text}\n`);
    },
    /** Clears the line; may be called again. */
    end: (): void => {
      if (hasTerminal) printError(CLEAR_LINE);
    },
  };
}

/**
 * Creates a display of a count: `[######------] 1,000 of 2,000 blocks, 500 a second, 2.0 s left`.
 *
 * @param unit the counted things, in the plural
 * @param now returns the milliseconds of a monotonic clock
 */
export function countDisplay(screen: Screen, unit: string, now = () => performance.now()) {
  const display = progressDisplay(screen);
  const began = now();
  return {
    update: (done: number, total: number | undefined): void => {
      const seconds = (now() - began) / 1_000;
      display.update(seconds, () => ({
        share: total === undefined || total === 0 ? undefined : done / total,
        text: describeCount(unit, done, total, seconds),
      }));
    },
    end: display.end,
  };
}

/** Runs a long task, shows its progress, and aborts it when a signal stops the process. */
export async function doWork<T>(
  environment: Environment,
  action: (job: JobControl) => Promise<T>,
): Promise<{ readonly result: T; readonly seconds: number }> {
  const controller = new AbortController();
  void environment.stopRequested().then(() => controller.abort(interrupted()));
  const began = performance.now();
  let shown: { readonly unit: string; readonly display: ReturnType<typeof countDisplay> } | undefined;
  const onProgress: JobControl['onProgress'] = (unit, done, total) => {
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

/** Formats a number with thousands separators. */
export function grouped(count: number | bigint): string {
  return (typeof count === 'bigint' ? count : Math.round(count)).toLocaleString('en-US');
}

/** Formats a duration in seconds, minutes, hours or days. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  if (seconds < 3_600) return `${(seconds / 60).toFixed(1)} min`;
  if (seconds < 86_400) return `${(seconds / 3_600).toFixed(1)} h`;
  return `${grouped(seconds / 86_400)} days`;
}

function describeCount(unit: string, done: number, total: number | undefined, seconds: number): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const of = total === undefined ? '' : ` of ${grouped(total)}`;
  const left = total === undefined || rate === 0 ? '' : `, ${duration((total - done) / rate)} left`;
  return `${grouped(done)}${of} ${unit}, ${grouped(rate)} a second${left}`;
}

function barOf(share: number): string {
  const filled = Math.floor(BAR_CHARACTERS * Math.min(1, share));
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CHARACTERS - filled)}]`;
}
