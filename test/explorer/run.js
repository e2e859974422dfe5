/**
 * Looks at the explorer in Debian's Chromium, as people and as hostile pages do: `npm run test:explorer`. It
 * installs what drives the browser as the lock file beside it says, starts nodes, and prints what it found; it ends
 * with status 1 when something is not as it should be. `README.md` says more.
 */

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { install } from '../tools/install.js';

const ROWS = [
  'views',
  'hostile',
  'large',
  'access',
  'keyboard',
  'tools',
  'contracts',
  'register',
  'search',
  'addresses',
  'ethereum',
  'forks',
  'live',
  'wallet',
  'foreign',
];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    chromium: { type: 'string', default: '' },
    screenshots: { type: 'boolean', default: false },
    frames: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '30' },
    'no-install': { type: 'boolean', default: false },
  },
});

const only = values.only === '' ? ROWS : values.only.split(',');
const unknown = only.filter((name) => !ROWS.includes(name));
if (unknown.length > 0) throw new Error(`--only takes ${ROWS.join(', ')}, not ${unknown.join(', ')}`);
if (!/^[1-9]\d{0,3}$/.test(values.seconds)) throw new Error('--seconds takes 1 to 9999');

if (!values['no-install']) install(fileURLToPath(new URL('.', import.meta.url)));
// The suite's imports exist only after the installation.
const { runSuite } = await import('./suite.js');
const special = [...(values.screenshots ? ['screenshots'] : []), ...(values.frames ? ['frames'] : [])];
process.exitCode = await runSuite({
  rows: special.length > 0 ? special : only,
  chromium: values.chromium,
  seconds: Number(values.seconds),
});
