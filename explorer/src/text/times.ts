const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Seconds by which two clocks may differ without anybody having moved one. */
const CLOCKS_DIFFER_BY = 5;

/**
 * Formats the distance from now: `12 s ago`. Takes seconds of Unix time. A time slightly ahead counts as now,
 * since the clocks of node and browser differ.
 */
export function ageText(timestamp: number, now: number): string {
  const seconds = Math.round(now - timestamp);
  if (seconds <= 0 && seconds >= -CLOCKS_DIFFER_BY) return 'just now';
  const text = spanText(Math.abs(seconds));
  return seconds > 0 ? `${text} ago` : `in ${text}`;
}

function spanText(seconds: number): string {
  if (seconds < MINUTE) return `${seconds}\u202fs`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}\u202fmin`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)}\u202fh`;
  return `${Math.floor(seconds / DAY)}\u202fd`;
}

/** The moment itself, in UTC: `2026-11-22 21:30:05 UTC`. A moment that no calendar has is its number. */
export function momentText(timestamp: number): string {
  const date = new Date(timestamp * 1_000);
  if (Number.isNaN(date.getTime())) return String(timestamp);
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The same for machines. */
export function momentAttribute(timestamp: number): string {
  const date = new Date(timestamp * 1_000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
