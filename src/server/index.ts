/** The transport: JSON-RPC over HTTP and WebSockets, with admission control and bounds; health and metrics. */

export { isOriginPattern } from './access.ts';
export type { ServedHead } from './answer-calls.ts';
export { type BlockFeed, PatchedBlockError } from './block-feed.ts';
export { isLoopback } from './host-names.ts';
export { Metrics } from './metrics/metrics.ts';
export { type RunningServer, type ServerOptions, startServer } from './server.ts';
export { DEFAULT_SERVER_LIMITS, type ServerLimits } from './server-limits.ts';
export type { HealthReport } from './watching.ts';
