/** The settings of VitePress. */

import { readFileSync } from 'node:fs';
import { withPolicy } from '../policy.js';

const ICON =
  `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' ` +
  `height='32' rx='8' fill='%230f766e'/%3E%3Cpath d='M10 8v16h12' fill='none' stroke='white' stroke-width='3.4' ` +
  `stroke-linecap='round' stroke-linejoin='round'/%3E%3Ccircle cx='20.5' cy='12' r='2.6' fill='white'/%3E%3C/svg%3E`;

/** Makes the anchor of a heading as repositories show it, since links in documents name those. */
function slugify(heading) {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
  return words.trim().replaceAll(/\s/g, '-');
}

export default {
  title: 'ledgerd',
  description: 'A native ledger node that Ethereum tools can talk to',
  lang: 'en',
  head: [['link', { rel: 'icon', href: ICON }]],
  srcDir: 'build/pages',
  outDir: '../build/site',
  cacheDir: 'build/cache',
  metaChunk: true,
  // Braces behind code are text.
  markdown: { anchor: { slugify }, attrs: { disable: true } },
  transformHtml: withPolicy,
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Methods', link: '/docs/methods' },
      { text: 'Configuration', link: '/docs/configuration' },
      { text: 'Try it', link: '/try' },
    ],
    sidebar: JSON.parse(readFileSync(new URL('../build/sidebar.json', import.meta.url), 'utf8')),
    outline: { level: [2, 3] },
  },
  vite: { build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4096 } },
};
