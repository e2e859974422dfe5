/** `globalSetup: 'ledgerd/vitest'`: an ES module, as vitest is. */

import bundle from './bundle.js';

export const { globalSetup } = bundle.vitest;
// biome-ignore lint/style/noDefaultExport: vitest reads it
export default bundle.vitest.default;
