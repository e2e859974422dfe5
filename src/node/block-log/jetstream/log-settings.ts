import type { BlockLogAddress } from './log-address.ts';

/** How a log on JetStream is reached, and what is asked of it. */
export interface BlockLogSettings {
  readonly address: BlockLogAddress;
  /** File with the credentials of a user (`.creds`); undefined for none but those of the address. */
  readonly credentialsFile: string | undefined;
  /** File with the certificates of the authorities that its servers are believed by; undefined for the system's. */
  readonly authorityFile: string | undefined;
  /** Replicas that the log has to have at least, and that a new one gets. */
  readonly replicas: number;
  /** URLs of the monitoring ports of its servers. */
  readonly monitors: readonly string[];
  /** Whether the operator vouches for it that its servers write to their disks before they confirm. */
  readonly assumeSynced: boolean;
}
