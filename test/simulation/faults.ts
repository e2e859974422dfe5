import type { Random } from '../fuzz/random.ts';
import { LOG } from './block-log.ts';
import type { Machine, Surroundings } from './machine.ts';

/** The most milliseconds of each. */
const ELECTIONS_MS = [300, 1_500, 6_000] as const;
const FULL_MS_MAX = 3_000;
const CUT_MS_MAX = 12_000;
const JUMP_MS_MAX = 50_000;
const MOOD_MS_MAX = 10_000;
/** Greatest number of steps until a process dies. */
const STEPS_MAX = 12;
/** The most milliseconds that work takes between two looks at the clock on a slow machine. */
const SLOWNESS_MS_MAX = 40;

type Fault = (random: Random, around: Surroundings, machines: readonly Machine[]) => string;

/** All faults, each with its line in the journal. */
const FAULTS = {
  kill: (random, _around, machines) => {
    const machine = random.pick(machines);
    machine.kill();
    return `${machine.name} is killed`;
  },
  killBetweenSteps: (random, _around, machines) => {
    const machine = random.pick(machines);
    const steps = random.below(STEPS_MAX);
    machine.process?.dieAfter(steps, random.oneIn(2));
    return `${machine.name} is to die after ${steps} steps`;
  },
  killAll: (_random, _around, machines) => {
    for (const machine of machines) machine.kill();
    return 'all are killed';
  },
  stop: (random, _around, machines) => {
    const machine = random.pick(machines);
    machine.stop();
    return `${machine.name} is stopped`;
  },
  elect: (random, { servers }) => {
    const milliseconds = random.below(random.pick(ELECTIONS_MS));
    servers.elect(milliseconds);
    return `the log elects for ${milliseconds} ms`;
  },
  fill: (random, { servers }) => {
    const milliseconds = random.below(FULL_MS_MAX);
    servers.fill(milliseconds);
    return `the log has no room for ${milliseconds} ms`;
  },
  cutFromLog: (random, { network, clock }, machines) => {
    const { name } = random.pick(machines);
    network.cut(name, LOG);
    clock.at(clock.now() + random.below(CUT_MS_MAX), () => network.join());
    return `${name} is cut off from the log`;
  },
  cutFromOthers: (random, { network, clock }, machines) => {
    const { name } = random.pick(machines);
    for (const other of machines) if (other.name !== name) network.cut(name, other.name);
    clock.at(clock.now() + random.below(CUT_MS_MAX), () => network.join());
    return `${name} is cut off from the other machines`;
  },
  mood: (random, { network, clock }) => {
    const before = network.setMood({
      lostOneIn: random.pick([0, 2, 5, 20]),
      repeatedOneIn: random.pick([0, 2, 10]),
      lateOneIn: random.pick([0, 2, 5, 20]),
      delayMs: random.pick([1, 10, 50, 300]),
    });
    clock.at(clock.now() + random.below(MOOD_MS_MAX), () => void network.setMood(before));
    return `the network is ${JSON.stringify(network.mood)}`;
  },
  setClock: (random, _around, machines) => {
    const machine = random.pick(machines);
    machine.clock.wallAhead += random.below(2 * JUMP_MS_MAX) - JUMP_MS_MAX;
    machine.clock.wallAhead = Math.max(-JUMP_MS_MAX, Math.min(JUMP_MS_MAX, machine.clock.wallAhead));
    return `the clock of ${machine.name} is set ${machine.clock.wallAhead} ms ahead`;
  },
  slowDown: (random, _around, machines) => {
    const machine = random.pick(machines);
    machine.clock.slownessMs = random.pick([0, 1, 5, SLOWNESS_MS_MAX]);
    return `${machine.name} takes up to ${machine.clock.slownessMs} ms for each step of its work`;
  },
  replaceDisk: (random, _around, machines) => {
    const machine = random.pick(machines);
    machine.kill();
    machine.nextDisk = random.pick(['empty', 'backup']);
    return `${machine.name} is killed, and its next disk is ${machine.nextDisk}`;
  },
} satisfies Record<string, Fault>;

/** Weights of the kinds of faults; a run has only some of the kinds. */
const WEIGHTS: Readonly<Record<keyof typeof FAULTS, number>> = {
  kill: 6,
  killBetweenSteps: 10,
  killAll: 1,
  stop: 2,
  elect: 5,
  fill: 1,
  cutFromLog: 5,
  cutFromOthers: 3,
  mood: 4,
  setClock: 3,
  slowDown: 2,
  replaceDisk: 2,
};

/** Greatest pauses between two faults, in milliseconds; each run draws one. */
const PAUSES_MS = [1_500, 4_000, 10_000] as const;

/** Injects faults until a moment, of the kinds and at the pace of this run. */
export function startFaults(
  random: Random,
  around: Surroundings,
  machines: readonly Machine[],
  until: number,
): void {
  const { clock } = around;
  const pauseMs = random.pick(PAUSES_MS);
  const kinds = (Object.keys(FAULTS) as (keyof typeof FAULTS)[]).filter(() => !random.oneIn(3));
  const weighted = kinds.map((kind) => [WEIGHTS[kind], kind] as const);
  if (weighted.length === 0) return;
  const next = (): void => {
    if (clock.now() >= until) return;
    const fault: Fault = FAULTS[random.pickWeighted(weighted)];
    around.note(fault(random, around, machines));
    around.count('faults');
    clock.at(clock.now() + 1 + random.below(pauseMs), next);
  };
  clock.at(clock.now() + random.below(pauseMs), next);
}
