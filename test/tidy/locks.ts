import { readFileSync } from 'node:fs';

/** What a lock file of npm says of a package. */
interface LockedPackage {
  readonly integrity?: string;
  readonly link?: boolean;
}

/**
 * Packages with binaries for other systems whose checksum the registry did not give when the lock file was made. They
 * are installed nowhere but on those systems. `npm view PACKAGE@VERSION dist.integrity` gives it where the registry has
 * them; then they leave this list.
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
 * The packages of a lock file that npm would install whatever their bytes are, but for those that are known. A place
 * that is not in a folder of installed packages is the project itself, or a part of it.
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
