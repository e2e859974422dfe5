/**
 * Sends random streams of requests to the HTTP server and to one of Node for a while, and compares the responses:
 * `node scripts/fuzz-http.js --seconds 60 --seed 1`. Ends with status 1 at the first difference, and prints its stream.
 */

import { runLongTest } from './long-test.js';

process.exitCode = runLongTest('src/server/http/node-http.test.ts', 'HTTP', { seconds: 60 });
