import { existsSync } from 'node:fs';

/**
 * Lists the C libraries that binaries for Linux are compiled for, the likely one first: most distributions with musl
 * are Alpine. A binary for the other library does not load, so that the caller tries both.
 */
export function linuxLibraries(): readonly string[] {
  return existsSync('/etc/alpine-release') ? ['musl', 'glibc'] : ['glibc', 'musl'];
}
