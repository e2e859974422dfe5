import type { SettingName } from './settings/table.ts';

/** A flag of anvil that is accepted as one of ledgerd. */
export interface PeerAlias {
  /** The declaration of the flag, as Commander reads it. */
  readonly flags: string;
  readonly label: string;
  readonly name: SettingName;
  readonly help: string;
  /** Returns the value of the setting; undefined for its default. */
  readonly raw: (text: string) => unknown;
}

/** Compute units that anvil counts for each request. */
const REQUEST_UNITS = 17;

const alias = (
  flags: string,
  name: SettingName,
  help: string,
  raw: PeerAlias['raw'] = (text) => text,
): PeerAlias => ({ flags, label: /--[a-z-]+/.exec(flags)?.[0] ?? flags, name, help, raw });

/** Returns requests a second for compute units a second; another text stays, so that the error shows it. */
function requestsOf(units: string): string {
  return /^\d+$/.test(units) ? String(Math.max(1, Math.floor(Number(units) / REQUEST_UNITS))) : units;
}

/** Flags of anvil for the settings of a fork. */
export const PEER_ALIASES: readonly PeerAlias[] = [
  alias('-f, --fork-url <source>', 'fork', 'remote node'),
  alias('--rpc-url <source>', 'fork', 'remote node'),
  alias('--retries <number>', 'fork-retries', 'retries of a request'),
  alias('--timeout <milliseconds>', 'fork-timeout', 'time for a request'),
  alias('--no-storage-caching', 'no-fork-cache', 'no cache', () => true),
  alias('--compute-units-per-second <number>', 'fork-rate', '17 units a request', requestsOf),
  alias('--cups <number>', 'fork-rate', '17 units a request', requestsOf),
  alias('--no-rate-limit', 'fork-rate', 'any number of requests', () => undefined),
  alias('--no-rpc-rate-limit', 'fork-rate', 'any number of requests', () => undefined),
];
