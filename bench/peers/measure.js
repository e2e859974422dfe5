/** Runs pieces of work on the peers, in turns. */

import { Measured } from '../harness/measured.js';
import { busyBetween, memoryOf, processorTimes, untilQuiet } from '../harness/processor.js';
import { inTurn } from '../harness/rounds.js';
import { goalsFor } from './goals.js';
import { startPeer } from './peers.js';

/** Starts every peer anew in each round, after one that does not count. */
export async function measureStarts(definitions, options) {
  const work = { name: 'start-up', title: 'start-up to the first response', unit: 'ms' };
  const startUp = new Measured(work, goalsFor('starts', work.name));
  const memory = memoryMeasured('start memory', 'memory after the start');
  for (let round = -1; round < options.rounds; round += 1) {
    for (const definition of inTurn(definitions, round)) {
      const peer = await startPeer(definition, options);
      const { resident } = memoryOf(peer.processId);
      await peer.stop();
      if (round < 0) continue;
      startUp.add(peer.name, { value: peer.startMs });
      memory.add(peer.name, { value: resident });
    }
  }
  return [startUp, memory];
}

/** Measures the current memory of every peer. */
export function measureMemory(peers) {
  const memory = memoryMeasured('end memory', 'memory at the end');
  for (const peer of peers) memory.add(peer.name, { value: memoryOf(peer.processId).resident });
  return memory;
}

function memoryMeasured(name, title) {
  return new Measured({ name, title, unit: 'MiB' }, goalsFor('starts', name));
}

/** Checks the results of every peer, then measures in rounds. */
export async function measureWork(work, group, peers, options) {
  const measured = new Measured(work, goalsFor(group, work.name));
  for (const peer of peers) {
    await measured.attempt(peer, async () => {
      await work.check(peer, options);
      if (work.tool === 'wrk' && options.warmUp > 0)
        await work.measure(peer, { ...options, seconds: options.warmUp });
    });
  }
  await measured.measureRounds(peers, options.rounds, async (peer) => {
    await untilQuiet(peer);
    const before = processorTimes(peer);
    const value = await work.measure(peer, options);
    return { value, busy: busyBetween(before, processorTimes(peer)) };
  });
  return measured;
}
