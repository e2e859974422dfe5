/** The transport: JSON-RPC over HTTP, with bounds on size and time and checks of who asks; health and metrics. */

export { type BlockFeed, PatchedBlockError } from './block-feed.ts';
export type { ServedHead } from './head-waits.ts';
export { isLoopback } from './host-names.ts';
export { Metrics } from './metrics/metrics.ts';
export { isOriginPattern } from './origins.ts';
export { type RunningServer, type ServerOptions, startServer } from './server.ts';
export { DEFAULT_SERVER_LIMITS, type ServerLimits } from './server-limits.ts';
export type { HealthReport } from './watching.ts';
