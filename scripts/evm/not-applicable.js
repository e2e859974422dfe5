/** Cases that do not apply to this ledger, with reasons. */

import { readFileSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * Returns the features of a case that the ledger lacks, by their names in the entries: none today.
 *
 * @returns {string[]}
 */
export function featuresOf() {
  return [];
}

/**
 * Entries are `{ path, feature, reason }`: the end of a file's path, and the feature that the ledger lacks (see
 * `featuresOf`). Their cases run as well; an entry is unnecessary if all of them pass.
 */
export class NotApplicable {
  #entries;

  constructor(file) {
    this.#entries = JSON.parse(readFileSync(file, 'utf8')).map((entry) => ({ entry, met: 0, failed: 0 }));
  }

  /** True if a case is listed; records its result. */
  take(path, { features, differences }) {
    const file = path.split(sep).join('/');
    let isListed = false;
    for (const known of this.#entries) {
      const { entry } = known;
      if (!`/${file}`.endsWith(`/${entry.path}`)) continue;
      if (!features.includes(entry.feature)) continue;
      isListed = true;
      known.met++;
      if (differences.length > 0) known.failed++;
    }
    return isListed;
  }

  /** Returns unnecessary entries: all cases passed, or, in a run of all files, no case matched. */
  notNeeded(isWhole) {
    return this.#entries
      .filter(({ met, failed }) => failed === 0 && (met > 0 || isWhole))
      .map(({ entry }) => entry);
  }
}
