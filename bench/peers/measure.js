/** Runs pieces of work on the peers, in turns. */

import { setTimeout as delay } from 'node:timers/promises';
import { busyBetween, memoryOf, processorTimes } from '../harness/processor.js';
import { quantile } from '../harness/report.js';
import { inTurn } from '../harness/rounds.js';
import { startPeer } from './peers.js';

/** The machine is quiet when less than this share of a processor was busy between two looks. */
const QUIET_SHARE = 0.2;
const LOOK_MS = 200;
const QUIET_WAIT_MS_MAX = 120_000;

/** Measurements of one workload: values and load of each peer, or the reason why there are none. */
export class Measured {
  /** @type {Record<string, { values: number[], busy: import('../harness/processor.js').Busy[], failure?: string }>} */
  peers = {};

  /**
   * @param {{ name: string, title: string, unit: string, tool?: string }} work
   * @param {string} group
   */
  constructor({ name, title, unit, tool }, group) {
    this.name = name;
    this.title = title;
    this.unit = unit;
    this.tool = tool;
    this.group = group;
  }

  add(peer, value, busy) {
    this.peers[peer] ??= { values: [], busy: [] };
    this.peers[peer].values.push(value);
    if (busy !== undefined) this.peers[peer].busy.push(busy);
  }

  fail(peer, error) {
    this.peers[peer] = { values: [], busy: [], failure: reasonOf(error) };
  }

  median(peer) {
    const values = this.peers[peer]?.values ?? [];
    return values.length === 0 ? undefined : middle(values);
  }

  /** Half of what lies between the least and the greatest value, as a share of the median. */
  spread(peer) {
    const { values } = this.peers[peer];
    return (Math.max(...values) - Math.min(...values)) / 2 / middle(values);
  }

  /** Returns the ratio by which the first peer is better than the second. */
  ratio(first, second) {
    const [one, other] = [this.median(first), this.median(second)];
    if (one === undefined || other === undefined) return undefined;
    return this.unit === 'per second' ? one / other : other / one;
  }

  /** Processors that were busy, on the average of all rounds. */
  busy(peer) {
    const looks = this.peers[peer]?.busy ?? [];
    if (looks.length === 0) return undefined;
    const mean = (name) => looks.reduce((sum, look) => sum + look[name], 0) / looks.length;
    return { server: mean('server'), tool: mean('tool'), others: mean('others') };
  }
}

function middle(values) {
  return (quantile(values, 0.5) + quantile(values, (values.length - 1) / 2 / values.length)) / 2;
}

/** The line of an error that says most: what a program of its own wrote last, or the message. */
function reasonOf({ message, stderr = '' }) {
  const [line] = /^\S*Error\b.*/m.exec(stderr) ?? message.split('\n', 1);
  return line.slice(0, 160);
}

/** Starts every peer anew in each round, after one that does not count. */
export async function measureStarts(definitions, options) {
  const startUp = new Measured(
    { name: 'start-up', title: 'start-up to the first response', unit: 'ms' },
    'starts',
  );
  const memory = memoryMeasured('start memory', 'memory after the start');
  for (let round = -1; round < options.rounds; round += 1) {
    for (const definition of inTurn(definitions, round)) {
      const peer = await startPeer(definition, options);
      const { resident } = memoryOf(peer.processId);
      await peer.stop();
      if (round < 0) continue;
      startUp.add(peer.name, peer.startMs);
      memory.add(peer.name, resident);
    }
  }
  return [startUp, memory];
}

/** Measures the current memory of every peer. */
export function measureMemory(peers) {
  const memory = memoryMeasured('end memory', 'memory at the end');
  for (const peer of peers) memory.add(peer.name, memoryOf(peer.processId).resident);
  return memory;
}

function memoryMeasured(name, title) {
  return new Measured({ name, title, unit: 'MiB' }, 'starts');
}

/** Waits until nothing is busy: some peers work on for clients that have left, and would disturb the next. */
async function untilQuiet(peer) {
  for (const end = performance.now() + QUIET_WAIT_MS_MAX; performance.now() < end; ) {
    const before = processorTimes(peer);
    await delay(LOOK_MS);
    const { server: own, others } = busyBetween(before, processorTimes(peer));
    if (own + others < QUIET_SHARE) return;
  }
}

/** Checks the results of every peer, then measures in rounds. A peer that fails is left out of the rest. */
export async function measureWork(work, group, peers, options) {
  const measured = new Measured(work, group);
  const attempt = async (peer, action) => {
    try {
      if (measured.peers[peer.name]?.failure !== undefined) return;
      if (peer.endedWith() === undefined) await action();
      else throw new Error(peer.endedWith());
    } catch (error) {
      measured.fail(peer.name, peer.endedWith() === undefined ? error : new Error(peer.endedWith()));
    }
  };
  for (const peer of peers) {
    await attempt(peer, async () => {
      await work.check(peer, options);
      if (work.tool === 'wrk' && options.warmUp > 0)
        await work.measure(peer, { ...options, seconds: options.warmUp });
    });
  }
  for (let round = 0; round < options.rounds; round += 1) {
    for (const peer of inTurn(peers, round)) {
      await attempt(peer, async () => {
        await untilQuiet(peer);
        const before = processorTimes(peer);
        const value = await work.measure(peer, options);
        measured.add(peer.name, value, busyBetween(before, processorTimes(peer)));
      });
    }
  }
  return measured;
}
