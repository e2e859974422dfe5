/**
 * Loads the native part of lmdb from the package of its platform, in the bundles: there it replaces
 * `node-gyp-build-optional-packages`, which searches folders, and needs lmdb installed as well.
 */

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Returns lmdb's native part.
 *
 * @throws {Error} if the platform has no binary, or it does not load
 */
export function loadBinary() {
  const { arch, platform, versions } = process;
  const load = createRequire(import.meta.url);
  const failures = [];
  for (const file of binariesOf(platform, versions.modules)) {
    try {
      return load(`@lmdb/lmdb-${platform}-${arch}/${file}`);
    } catch (error) {
      failures.push(error.message);
    }
  }
  throw new Error(
    `LMDB, which keeps the chain, does not load on ${platform} ${arch}. Install ledgerd with its optional packages ` +
      `(without --omit=optional), on a platform of @lmdb/lmdb-*.\n${failures.join('\n')}`,
  );
}

/** Those for a version of V8 have faster reads. */
function binariesOf(platform, abi) {
  if (platform !== 'linux') return ['node.napi.node'];
  const library = existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
  return [`node.abi${abi}.${library}.node`, `node.napi.${library}.node`];
}
