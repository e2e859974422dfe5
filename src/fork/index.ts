/**
 * The remote chain that a forked chain continues from, as of one block, the pinned one or fork point. `ForkState` has
 * the entries of the state there that were fetched, `RemoteEntries` fetches others, `RemoteHistory` reads the blocks up
 * to it, and a pack is a file with all that was fetched. An `Upstream` is the connection to the remote node.
 */

export { AccessHints } from './access-hints.ts';
export { parseEndpoint } from './endpoint.ts';
export { type FetchedEntry, fetchEntries, type RemoteAccount, type RemoteEntry } from './fetch-entries.ts';
export {
  ForkPackError,
  ForkPointError,
  RemoteCallError,
  RemoteDataError,
  RemoteMissingError,
  RemoteReorgError,
  UpstreamError,
} from './fork-errors.ts';
export { FORK_PACK_CHUNK_BYTES, ForkPack, PACK_FORMAT } from './fork-pack.ts';
export { checkPin, type ForkPoint } from './fork-point.ts';
export { encodeForkPoint, forkPointIn } from './fork-point-record.ts';
export { ForkState } from './fork-state.ts';
export { countEntries, type EntryCounts, PROVEN_KEY } from './fork-tables.ts';
export type { JsonObject } from './forms.ts';
export type { RemoteLogFilter } from './history-forms.ts';
export {
  FORK_BACKOFF_MS_DEFAULT,
  FORK_RETRIES_DEFAULT,
  FORK_TIMEOUT_MS_DEFAULT,
  HttpUpstream,
  type HttpUpstreamOptions,
} from './http-upstream.ts';
export { type PinChoice, type PinnedBlock, type PinOptions, pinBlock } from './pin-block.ts';
export { precedingIn, storePreceding } from './preceding-transactions.ts';
export { commitEntries, type EntrySource, type EntryStores, RemoteEntries } from './remote-entries.ts';
export { LOGS_FLAG_MAX, RemoteHistory, type ResultForm } from './remote-history.ts';
export { RemoteOtterscan } from './remote-otterscan.ts';
export type { Upstream, UpstreamCall, UpstreamCounts, UpstreamOutcome } from './upstream.ts';
export { type PackControl, writePack } from './write-pack.ts';
