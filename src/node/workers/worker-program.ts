import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { TRACE_HEAP_GROWING_PERCENT } from '../../limits.ts';
import { invariant } from '../../protocol/index.ts';
import { type WorkerOrder, writeOrder } from './order.ts';

/** MiB of young objects of a process that makes traces before they are collected. */
const TRACE_YOUNG_MEBIBYTES = 1;

/** Struct logs are made of short texts: what is young, and what got old, is collected while it is little. */
const TRACING_FLAGS = [
  `--max-semi-space-size=${TRACE_YOUNG_MEBIBYTES}`,
  `--heap-growing-percent=${TRACE_HEAP_GROWING_PERCENT}`,
];

/**
 * Starts a worker, with a stream for questions, and one for what it tells where it makes traces. It does not keep this
 * process running, and ends with it.
 */
export function startWorker(order: WorkerOrder): ChildProcess {
  const streams = order.isTracing ? (['pipe', 'pipe'] as const) : (['pipe'] as const);
  const nodeFlags = order.isTracing ? TRACING_FLAGS : [];
  const worker = spawn(process.execPath, [...nodeFlags, workerFile(), writeOrder(order)], {
    stdio: ['ignore', 'inherit', 'inherit', ...streams],
  });
  worker.unref();
  for (const stream of worker.stdio) if (stream instanceof Socket) stream.unref();
  return worker;
}

/** One of the streams between a worker and its node. @param descriptor of it in the worker */
export function streamOf(worker: ChildProcess, descriptor: number): Duplex {
  const stream = worker.stdio[descriptor];
  invariant(stream != null && 'write' in stream && 'read' in stream, 'a pipe is a stream both ways');
  return stream as Duplex;
}

/** Processes run compiled code, also those of tests, whose own source is compiled as they run. */
function workerFile(): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../../dist/node/workers/' : './';
  return fileURLToPath(new URL(`${folder}query-worker.js`, import.meta.url));
}
