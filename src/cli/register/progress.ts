/** How far a search is. */
export interface Progress {
  readonly hashes: number;
  /** Seconds since its beginning. */
  readonly seconds: number;
  /** Zero bits that are looked for. */
  readonly difficulty: number;
}

/** Shows how far a search is. */
export interface ProgressDisplay {
  update(progress: Progress): void;
  /** Leaves nothing half-drawn. */
  end(): void;
}

const BAR_CHARACTERS = 24;
/** Seconds between two drawings on a terminal, and between two lines elsewhere. */
const DRAWING_SECONDS = 0.1;
const LINE_SECONDS = 10;

/** Goes to the beginning of the line and clears what stands there (ECMA-48, EL). */
const CLEAR_LINE = '\r\x1b[K';

/**
 * Creates a display: on a terminal a line that is drawn over, elsewhere a line every ten seconds.
 * @param write gets the texts
 */
export function progressDisplay(isTerminal: boolean, write: (text: string) => void): ProgressDisplay {
  const interval = isTerminal ? DRAWING_SECONDS : LINE_SECONDS;
  let shown = isTerminal ? Number.NEGATIVE_INFINITY : 0;
  return {
    update: (progress) => {
      if (progress.seconds - shown < interval) return;
      shown = progress.seconds;
      write(isTerminal ? `${CLEAR_LINE}${bar(progress)} ${describe(progress)}` : `${describe(progress)}\n`);
    },
    end: () => {
      if (isTerminal) write(CLEAR_LINE);
    },
  };
}

/** Writes a number of hashes with its thousands apart. */
export function hashCount(hashes: number): string {
  return `${Math.round(hashes).toLocaleString('en-US')} hashes`;
}

/** Writes a time in the unit that suits it. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  if (seconds < 3_600) return `${(seconds / 60).toFixed(1)} min`;
  if (seconds < 86_400) return `${(seconds / 3_600).toFixed(1)} h`;
  return `${Math.round(seconds / 86_400).toLocaleString('en-US')} days`;
}

/** Every hash has the same chance, so what is expected does not shrink with what was tried. */
function describe({ hashes, seconds, difficulty }: Progress): string {
  const rate = seconds > 0 ? hashes / seconds : 0;
  const expected = rate > 0 ? `, ${duration(2 ** difficulty / rate)} expected` : '';
  return `${hashCount(hashes)}, ${(rate / 1e6).toFixed(2)} MH/s${expected}`;
}

/** Shows the chance that a search of so many hashes would be over. */
function bar({ hashes, difficulty }: Progress): string {
  const filled = Math.floor(BAR_CHARACTERS * -Math.expm1(-hashes / 2 ** difficulty));
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CHARACTERS - filled)}]`;
}
