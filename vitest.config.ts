import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Loaded only where it does something: it brings in the whole node.
    setupFiles: process.env.LEDGERD_WORKERS === undefined ? [] : ['test/with-workers.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
