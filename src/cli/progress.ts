import type { Environment } from './environment.ts';

/** How far long work is. */
interface Drawing {
  /** Share of the work that is done, from 0 to 1; undefined where nobody knows. */
  readonly share: number | undefined;
  /** What stands beside it, without a line feed. */
  readonly text: string;
}

/** Shows how far long work is. */
interface ProgressDisplay {
  /**
   * Draws, if the last drawing is long enough ago.
   * @param seconds since the work began
   */
  update(seconds: number, drawing: () => Drawing): void;
  /** Leaves nothing half-drawn. May be called again. */
  end(): void;
}

/** Shows how many things of one kind are done. */
export interface CountDisplay {
  /** @param total how many there will be in the end; undefined where nobody knows */
  update(done: number, total: number | undefined): void;
  /** Leaves nothing half-drawn. May be called again. */
  end(): void;
}

const BAR_CHARACTERS = 24;
/** Seconds between two drawings on a terminal, and between two lines elsewhere. */
const DRAWING_SECONDS = 0.1;
const LINE_SECONDS = 10;

/** Goes to the beginning of the line and clears what stands there (ECMA-48, EL). */
const CLEAR_LINE = '\r\x1b[K';

/** What a display needs of the process around it: the standard error, so that it mixes with no result. */
type Screen = Pick<Environment, 'hasTerminal' | 'printError'>;

/** Creates a display: on a terminal a line that is drawn over, elsewhere a line every ten seconds. */
export function progressDisplay({ hasTerminal, printError }: Screen): ProgressDisplay {
  const interval = hasTerminal ? DRAWING_SECONDS : LINE_SECONDS;
  let shown = hasTerminal ? Number.NEGATIVE_INFINITY : 0;
  return {
    update: (seconds, drawing) => {
      if (seconds - shown < interval) return;
      shown = seconds;
      const { share, text } = drawing();
      const bar = share === undefined ? '' : `${barOf(share)} `;
      printError(hasTerminal ? `${CLEAR_LINE}${bar}${text}` : `${text}\n`);
    },
    end: () => {
      if (hasTerminal) printError(CLEAR_LINE);
    },
  };
}

/**
 * Creates a display for work that is counted: `[######------] 1,000 of 2,000 blocks, 500 a second, 2.0 s left`.
 *
 * @param unit what is counted, in the plural
 * @param now milliseconds of a clock that only goes forward
 */
export function countDisplay(screen: Screen, unit: string, now = () => performance.now()): CountDisplay {
  const display = progressDisplay(screen);
  const began = now();
  return {
    update: (done, total) => {
      const seconds = (now() - began) / 1_000;
      display.update(seconds, () => ({
        share: total === undefined || total === 0 ? undefined : done / total,
        text: describeCount(unit, done, total, seconds),
      }));
    },
    end: display.end,
  };
}

/** Writes a number with its thousands apart. */
export function grouped(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

/** Writes a time in the unit that suits it. */
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
