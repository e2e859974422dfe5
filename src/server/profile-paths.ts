import type { ProfileId } from '../rpc/index.ts';

/** The path of each profile, whatever is served at the root. */
export const PROFILE_PATHS: Readonly<Record<ProfileId, string>> = {
  ledger: '/ledger',
  ethereum: '/ethereum',
};

/** Profiles by the paths at which they are served. */
export type ProfilePaths = ReadonlyMap<string, ProfileId>;

/** Returns the paths of requests by HTTP, with a profile at the root. */
export function profilePaths(root: ProfileId): ProfilePaths {
  const { ledger, ethereum } = PROFILE_PATHS;
  return new Map([
    ['/', root],
    [ledger, 'ledger'],
    [`${ledger}/`, 'ledger'],
    [ethereum, 'ethereum'],
    [`${ethereum}/`, 'ethereum'],
  ]);
}

const ALL_PATHS: ReadonlySet<string> = new Set(profilePaths('ledger').keys());

/** Returns true for a path of requests by HTTP, which does not depend on the root. */
export function isPathOfCalls(path: string): boolean {
  return ALL_PATHS.has(path);
}

/** Returns the paths of WebSockets, with a profile at the root: those of requests, and `/ws` below each. */
export function webSocketPaths(root: ProfileId): ProfilePaths {
  const paths = profilePaths(root);
  const below = [...paths].map(([path, profile]) => [`${path.replace(/\/$/, '')}/ws`, profile] as const);
  return new Map([...paths, ...below]);
}
