/** Measuring and showing. */

/** Runs an action and gives what it returned and how many milliseconds it took. */
export async function timed(action) {
  const started = performance.now();
  const value = await action();
  return { value, ms: performance.now() - started };
}

/** The value below which a share of all values lies. */
export function quantile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** Milliseconds as text with three digits that count. */
export function showMs(ms) {
  return `${ms >= 100 ? ms.toFixed(0) : ms.toPrecision(3)} ms`;
}

/** A number with commas between its thousands. */
export function showCount(count) {
  return Math.round(count).toLocaleString('en-US');
}

/** Rows of text as a table of Markdown; the first row is its head. */
export function table([head, ...rows]) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Prints a line. */
export function print(text = '') {
  process.stdout.write(`${text}\n`);
}

/** Prints how far something has come, over the last such line, where someone watches. */
export function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}`);
}
