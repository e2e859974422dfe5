/** A thread that runs the signature checks of a shared table, until it is terminated. */

import { workerData } from 'node:worker_threads';
import { SignatureTable } from './signature-table.ts';

const table = new SignatureTable(workerData as SharedArrayBuffer); // its only user passes that
for (;;) table.runNext();
