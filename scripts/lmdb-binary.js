/**
 * Loads the native part of lmdb from the package of its platform, in the bundles: there it replaces
 * `node-gyp-build-optional-packages`, which searches folders, and needs lmdb installed as well.
 */

import { createRequire } from 'node:module';
import { linuxLibraries } from '../src/protocol/curves/linux-libraries.ts';

/**
 * Returns lmdb's native part.
 *
 * @throws {Error} if the platform has no binary, or it does not load
 */
export function loadBinary() {
  const { arch, platform, versions } = process;
  const load = createRequire(import.meta.url);
  const name = `@lmdb/lmdb-${platform}-${arch}`;
  const failures = [];
  for (const file of binariesOf(platform, versions.modules)) {
    try {
      return load(`${name}/${file}`);
    } catch (error) {
      // The first line; the others are the stack of the callers.
      failures.push(`${file}: ${error.message.split('\n')[0]}`);
    }
  }
  throw new Error(
    `the native add-on of LMDB, which keeps the chain, does not load on ${platform}-${arch}. Looked for the package ` +
      `${name}: install ledgerd with its optional packages (npm without --omit=optional; --offline takes them from ` +
      "npm's cache only), on this platform. " +
      'It supports Linux on x64, arm64 and arm, macOS on arm64 and x64, and Windows on x64 and arm64. ' +
      `(${failures.join('; ')})`,
  );
}

/** Those for a version of V8 have faster reads. */
function binariesOf(platform, abi) {
  if (platform !== 'linux') return ['node.napi.node'];
  return linuxLibraries().flatMap((library) => [
    `node.abi${abi}.${library}.node`,
    `node.napi.${library}.node`,
  ]);
}
