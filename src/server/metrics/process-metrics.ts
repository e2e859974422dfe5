import { readdirSync } from 'node:fs';
import type { Sample, SampledMetric } from './sample.ts';

/** What `process.cpuUsage` counts in. */
const MICROSECONDS = 1e6;
/** Where Linux lists the files that a process has open. */
const OPEN_FILES = '/proc/self/fd';

/** The process itself, by the names that such metrics have in every program. */
export const PROCESS_METRICS: readonly SampledMetric[] = [
  {
    name: 'process_cpu_seconds_total',
    help: 'Time of the processors that the process has used.',
    type: 'counter',
    samples: () => {
      const { user, system } = process.cpuUsage();
      return one((user + system) / MICROSECONDS);
    },
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Memory that the process occupies.',
    type: 'gauge',
    samples: () => one(process.memoryUsage.rss()),
  },
  {
    name: 'nodejs_heap_used_bytes',
    help: "Bytes of JavaScript's heap in use.",
    type: 'gauge',
    samples: () => one(process.memoryUsage().heapUsed),
  },
  {
    name: 'nodejs_array_buffer_bytes',
    help: 'Bytes of buffers outside of the heap.',
    type: 'gauge',
    samples: () => one(process.memoryUsage().arrayBuffers),
  },
  {
    name: 'process_start_time_seconds',
    help: 'When the process began, in Unix seconds.',
    type: 'gauge',
    samples: () => one(performance.timeOrigin / 1_000),
  },
  {
    name: 'process_open_fds',
    help: 'Files and connections that the process has open.',
    type: 'gauge',
    samples: countOpenFiles,
  },
];

/** The only number of a metric without labels. */
export function one(value: number): Sample[] {
  return [{ value }];
}

/** Nothing where the system does not tell. */
function countOpenFiles(): Sample[] {
  try {
    return one(readdirSync(OPEN_FILES).length);
  } catch {
    return [];
  }
}
