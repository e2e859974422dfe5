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
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What does not come is found out by the time of its test: how long that takes is no part of what is asserted.
    expect: { poll: { timeout: 50_000 } },
  },
});
