/** Reads process statistics from Linux's `/proc`; elsewhere all figures are 0. */

import { readdirSync, readFileSync } from 'node:fs';

/** The clock that the system counts the processor's time with, in Hz. */
const TICKS = 100;

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
  const children = tasksOf(processId).flatMap((task) =>
    textOf(`/proc/${processId}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [processId, ...children.flatMap(familyOf)];
}

/** @param {number} processId */
function tasksOf(processId) {
  try {
    return readdirSync(`/proc/${processId}/task`);
  } catch {
    return [];
  }
}
