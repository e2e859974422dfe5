import { readFileSync } from 'node:fs';

/** A package in a lock file of npm. */
interface LockedPackage {
  readonly integrity?: string;
  readonly link?: boolean;
}

/**
 * Packages with binaries for other systems, whose checksum the registry did not return when the lock file was made.
 * They are installed only on those systems. Once `npm view PACKAGE@VERSION dist.integrity` prints a checksum, remove
 * the package from this list.
 */
const UNCHECKED = [
  '@biomejs/cli-android-arm64',
  '@biomejs/cli-android-x64',
  '@biomejs/cli-darwin-arm64',
  '@biomejs/cli-darwin-x64',
  '@biomejs/cli-linux-arm64-musl',
  '@biomejs/cli-linux-x64-musl',
  '@biomejs/cli-win32-arm64',
  '@biomejs/cli-win32-x64',
  '@foundry-rs/anvil-darwin-amd64',
  '@foundry-rs/anvil-darwin-arm64',
  '@foundry-rs/anvil-linux-arm64',
  '@foundry-rs/anvil-win32-amd64',
  '@foundry-rs/cast-darwin-amd64',
  '@foundry-rs/cast-darwin-arm64',
  '@foundry-rs/cast-linux-arm64',
  '@foundry-rs/cast-win32-amd64',
  '@foundry-rs/forge-darwin-amd64',
  '@foundry-rs/forge-linux-arm64',
  '@msgpackr-extract/msgpackr-extract-darwin-arm64',
  '@msgpackr-extract/msgpackr-extract-darwin-x64',
  '@msgpackr-extract/msgpackr-extract-linux-arm',
  '@msgpackr-extract/msgpackr-extract-win32-x64',
];

/**
 * Lists packages of a lock file without a checksum, except the known ones. A path outside of `node_modules` is the
 * project itself, or a part of it.
 */
export function uncheckedPackages(path: string): string[] {
  const { packages }: { packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    readFileSync(path, 'utf8'),
  );
  return Object.entries(packages)
    .filter(([place]) => place.includes('node_modules/'))
    .filter(([, { link, integrity }]) => link !== true && integrity === undefined)
    .map(([place]) => place.replace(/^.*node_modules\//, ''))
    .filter((name) => !UNCHECKED.includes(name));
}
