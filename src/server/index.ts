/** The transport: JSON-RPC over HTTP and WebSockets, with admission control and bounds; health and metrics. */

export { isOriginPattern } from './access.ts';
export type { ChainSource, ServedChain } from './chain-routes.ts';
export type { HealthReport } from './health-and-metrics.ts';
export { isLoopback } from './host-names.ts';
export { Metrics } from './metrics/metrics.ts';
export type { ServedHead } from './min-block-waiters.ts';
export { PROFILE_PATHS } from './profile-paths.ts';
export { type BlockFeed, FOLLOWER_HEADER, Followers, PatchedBlockError } from './serve-blocks.ts';
export { type RunningServer, type ServerOptions, startServer } from './server.ts';
export { DEFAULT_SERVER_LIMITS, type ServerLimits } from './server-limits.ts';
export { VerificationRoutes } from './verification/verification-routes.ts';
