/**
 * Loaded into a node and its threads before their programs: each thread writes a line with the kinds of its memory in
 * bytes to standard error every two seconds; the main one writes another after a full collection on SIGUSR2.
 */

const { writeSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { isMainThread, threadId } = require('node:worker_threads');
const { runInNewContext } = require('node:vm');

const INTERVAL_MS = 2_000;

function write(isCollected) {
  const line = JSON.stringify({ memory: process.memoryUsage(), thread: threadId, isCollected });
  // A stream of a thread would wait for the main one.
  writeSync(2, `${line}\n`);
}

setInterval(() => write(false), INTERVAL_MS).unref();
function collect() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  write(true);
}

if (isMainThread) process.on('SIGUSR2', collect);
