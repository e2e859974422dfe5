/** Counts cases and prints the progress of the run. */

/** Milliseconds between two progress lines: of a terminal, and of a file. */
const TERMINAL_INTERVAL = 200;
const FILE_INTERVAL = 10_000;

export class Progress {
  #files;
  #filesDone = 0;
  #started = Date.now();
  #printed = 0;
  /** Counts by hard fork: [passed, failed, not applicable]. */
  #hardforks = new Map();

  constructor(files) {
    this.#files = files;
  }

  /** Passed cases, without those listed as not applicable. */
  get passed() {
    return [...this.#hardforks.values()].reduce((sum, [passed]) => sum + passed, 0);
  }

  count(hardfork, hasPassed, isListed) {
    if (!this.#hardforks.has(hardfork)) this.#hardforks.set(hardfork, [0, 0, 0]);
    this.#hardforks.get(hardfork)[isListed && !hasPassed ? 2 : hasPassed ? 0 : 1]++;
  }

  fileDone() {
    this.#filesDone++;
    const interval = process.stderr.isTTY ? TERMINAL_INTERVAL : FILE_INTERVAL;
    if (Date.now() - this.#printed < interval) return;
    this.#printed = Date.now();
    const failed = [...this.#hardforks.values()].reduce((sum, counts) => sum + counts[1], 0);
    const seconds = ((Date.now() - this.#started) / 1000).toFixed(0);
    const line = `${this.#filesDone}/${this.#files} files, ${this.passed} passed, ${failed} failed, ${seconds} s`;
    process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`);
  }

  end() {
    if (process.stderr.isTTY) process.stderr.write('\n');
  }

  /** The counts by hard fork. */
  table() {
    const rows = [...this.#hardforks].map(
      ([hardfork, [passed, failed, listed]]) =>
        `${hardfork.padEnd(10)} ${passed} passed, ${failed} failed, ${listed} not applicable`,
    );
    const seconds = ((Date.now() - this.#started) / 1000).toFixed(1);
    return [...rows.sort(), `in ${seconds} s`].join('\n');
  }
}
