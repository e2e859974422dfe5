/** The transport: JSON-RPC over HTTP, with bounds on size and time and checks of who asks. */

export { isLoopback } from './host-names.ts';
export { type RunningServer, type ServerOptions, startServer } from './server.ts';
export { DEFAULT_SERVER_LIMITS, type ServerLimits } from './server-limits.ts';
