import { describe, test } from 'vitest';
import { NATS_SERVER, WITHOUT_SERVER } from './nats-servers.testing.ts';

/** A test with a real server; skipped where there is none. */
export const testWithServer = test.skipIf(NATS_SERVER === undefined);

/** Describes tests with real servers, and says where they are skipped that there are none. */
export function describeWithServers(name: string, tests: () => void): void {
  describe.skipIf(NATS_SERVER === undefined)(`${name}${WITHOUT_SERVER}`, tests);
}
