/** The cases that cannot apply to this ledger, each with its reason. */

import { readFileSync } from 'node:fs';
import { sep } from 'node:path';

/** What of a case the ledger cannot have, by the names that the entries use. */
export function featuresOf({ transaction }) {
  const features = {
    blobTransaction: transaction.blobVersionedHashes !== undefined,
    setCodeTransaction: transaction.authorizationList !== undefined,
  };
  return Object.keys(features).filter((name) => features[name]);
}

/**
 * Entries are `{ path, feature, reason }`: the end of a file's path, and what about a case cannot be on the
 * ledger (see `featuresOf`). They are run all the same; an entry whose cases all pass is not needed.
 */
export class NotApplicable {
  #entries;

  constructor(file) {
    this.#entries = JSON.parse(readFileSync(file, 'utf8')).map((entry) => ({ entry, met: 0, failed: 0 }));
  }

  /** Whether a case is listed; notes what came of it. */
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

  /** The entries whose cases all passed; of a run of all files, those too that no case was met for. */
  notNeeded(isWhole) {
    return this.#entries
      .filter(({ met, failed }) => failed === 0 && (met > 0 || isWhole))
      .map(({ entry }) => entry);
  }
}
