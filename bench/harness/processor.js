/** Reads process statistics from Linux's `/proc`; elsewhere all figures are 0. */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** The clock that the system counts the processor's time with, in Hz. */
const TICKS = 100;
/** The machine is quiet when less than this share of a processor was busy between two looks. */
const QUIET_SHARE = 0.2;
const LOOK_MS = 200;
const QUIET_WAIT_MS_MAX = 120_000;

/**
 * @typedef {{ at: number, server: number, tool: number, machine: number }} ProcessorTimes seconds
 * @typedef {{ server: number, tool: number, others: number }} Busy processors
 */

/**
 * Measures the resident memory of a process and its children, and the part that they allocated, in MiB. The rest is
 * file pages, which the system can reclaim.
 *
 * @param {number} processId
 */
export function memoryOf(processId) {
  const total = { resident: 0, own: 0 };
  for (const member of familyOf(processId)) {
    const status = textOf(`/proc/${member}/status`);
    /** @param {string} name */
    const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1_024;
    total.resident += field('VmRSS');
    total.own += field('RssAnon');
  }
  return total;
}

/**
 * Seconds of processor time that a process and those that it started have used.
 *
 * @param {number} processId
 */
export function processorSeconds(processId) {
  return familyOf(processId).reduce((sum, member) => sum + statOf(member).self, 0);
}

/**
 * Seconds of processor time: of a server, of this process with those it waited for, and of the whole machine.
 *
 * @param {{ processId: number }} server
 * @returns {ProcessorTimes}
 */
export function processorTimes({ processId }) {
  const own = statOf('self');
  const [user = 0, nice = 0, system = 0, , , interrupt = 0, softInterrupt = 0] = fieldsOf(
    textOf('/proc/stat').split('\n', 1).join(),
  ).slice(1);
  return {
    at: performance.now() / 1_000,
    server: processorSeconds(processId),
    tool: own.self + own.children,
    machine: (user + nice + system + interrupt + softInterrupt) / TICKS,
  };
}

/**
 * Processors that were busy between two looks at the times: by the server, by the load, by anything else.
 *
 * @param {ProcessorTimes} before
 * @param {ProcessorTimes} after
 * @returns {Busy}
 */
export function busyBetween(before, after) {
  const seconds = after.at - before.at;
  /** @param {'server' | 'tool' | 'machine'} name */
  const share = (name) => (after[name] - before[name]) / seconds;
  const others = Math.max(0, share('machine') - share('server') - share('tool'));
  return { server: share('server'), tool: share('tool'), others };
}

/**
 * Waits until nothing is busy, and prints once what it waits for: some servers work on for clients that have left, and
 * other programs of the machine take processors too.
 *
 * @param {{ processId: number }} server
 */
export async function untilQuiet(server) {
  let isPrinted = false;
  for (const end = performance.now() + QUIET_WAIT_MS_MAX; performance.now() < end; ) {
    const [before, seconds] = [processorTimes(server), isPrinted ? undefined : secondsOfAll()];
    await delay(LOOK_MS);
    const { server: own, others } = busyBetween(before, processorTimes(server));
    if (own + others < QUIET_SHARE) return;
    if (seconds !== undefined) {
      const limit = `waiting for a quiet machine, ${QUIET_WAIT_MS_MAX / 1_000} s at most`;
      process.stderr.write(
        `${limit}: ${(own + others).toFixed(1)} processors are busy, ${busiest(seconds)}\n`,
      );
    }
    isPrinted = true;
  }
}

/** Seconds of processor time that each other process has used, by its number. */
function secondsOfAll() {
  const numbers = entriesOf('/proc')
    .map(Number)
    .filter((number) => number > 0 && number !== process.pid);
  return new Map(numbers.map((number) => [number, statOf(number).self]));
}

/** Names the process that used most processor time since an earlier look. @param {Map<number, number>} before */
function busiest(before) {
  let [most, found] = [0, 0];
  for (const [number, seconds] of secondsOfAll()) {
    const used = seconds - (before.get(number) ?? 0);
    if (used > most) [most, found] = [used, number];
  }
  const name = textOf(`/proc/${found}/comm`).trim();
  return found === 0 ? 'by no visible process' : `most of them by process ${found} (${name})`;
}

/** @param {number | 'self'} processId */
function statOf(processId) {
  const text = textOf(`/proc/${processId}/stat`).split(') ').at(-1) ?? '';
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fieldsOf(text).slice(11, 15);
  return { self: (user + system) / TICKS, children: (childrenUser + childrenSystem) / TICKS };
}

/** @param {string} text */
function fieldsOf(text) {
  return text.split(/\s+/).map(Number);
}

/**
 * Reads a file; empty if its process has just ended.
 *
 * @param {string} file
 */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * A process and all that it started, by their numbers.
 *
 * @param {number} processId
 * @returns {number[]}
 */
function familyOf(processId) {
  const children = entriesOf(`/proc/${processId}/task`).flatMap((task) =>
    textOf(`/proc/${processId}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [processId, ...children.flatMap(familyOf)];
}

/**
 * Lists a folder; empty if its process has just ended.
 *
 * @param {string} folder
 */
function entriesOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
