import { readdirSync } from 'node:fs';
import { counter, gauge, type SampledMetric } from './sample.ts';

/** What `process.cpuUsage` counts in. */
const MICROSECONDS = 1e6;
/** Where Linux lists the files that a process has open. */
const OPEN_FILES = '/proc/self/fd';

/** The process itself, by the names that such metrics have in every program. */
export const PROCESS_METRICS: readonly SampledMetric[] = [
  counter('process_cpu_seconds_total', 'Time of the processors that the process has used.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / MICROSECONDS;
  }),
  gauge('process_resident_memory_bytes', 'Memory that the process occupies.', () =>
    process.memoryUsage.rss(),
  ),
  gauge('nodejs_heap_used_bytes', "Bytes of JavaScript's heap in use.", () => process.memoryUsage().heapUsed),
  gauge(
    'nodejs_array_buffer_bytes',
    'Bytes of buffers outside of the heap.',
    () => process.memoryUsage().arrayBuffers,
  ),
  gauge(
    'process_start_time_seconds',
    'When the process began, in Unix seconds.',
    () => performance.timeOrigin / 1_000,
  ),
  gauge('process_open_fds', 'Files and connections that the process has open.', countOpenFiles),
];

/** Undefined where the system does not tell. */
function countOpenFiles(): number | undefined {
  try {
    return readdirSync(OPEN_FILES).length;
  } catch {
    return undefined;
  }
}
