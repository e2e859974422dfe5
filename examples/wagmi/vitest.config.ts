import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

// An installed browser; without CHROMIUM, that of `npx playwright install chromium`.
const executablePath = process.env.CHROMIUM;
// Chromium's sandbox does not start as root.
const chromiumSandbox = process.getuid?.() !== 0;

export default defineConfig({
  test: {
    globalSetup: 'ledgerd/vitest',
    browser: {
      enabled: true,
      headless: true,
      provider: playwright({ launchOptions: { executablePath, chromiumSandbox } }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
