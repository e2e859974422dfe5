import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'explorer/**/*.test.ts'],
    // Loaded only where they do something: they bring in the whole node.
    setupFiles: [
      ...(process.env.LEDGERD_WORKERS === undefined ? [] : ['test/with-workers.ts']),
      ...(process.env.TESTS_ETHEREUM === 'true' ? ['test/with-ethereum.ts'] : []),
    ],
    pool: 'forks',
    // Tests wait for processes and disks more than they compute.
    maxWorkers: '100%',
    // Only what never ends is to be ended: how long a test takes on a busy machine is no part of what it asserts.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 150_000 } },
  },
});
