import { isDeepStrictEqual } from 'node:util';
import { Engine, HARDFORKS, type Hardfork } from '../index.ts';
import { type Outcome, runWithEngine, ScenarioHost } from './differential.testing.ts';
import { runWithOracle } from './oracle.testing.ts';
import { createRandom } from './random.testing.ts';
import { randomScenario, type Scenario } from './scenario.testing.ts';
import { listeningToSteps, type Step } from './steps.testing.ts';

/** Compares the engine with another implementation, step by step, and minimises findings. */

const STOP = 0x00;
const SSTORE = 0x55;
const JUMPDEST = 0x5b;
const REVERT = 0xfd;
/** Words of the stack that REVERT takes. */
const REVERT_OPERANDS = 2;
/** CALL and CALLCODE: the oracle adds the stipend to their gas before it reports the step. */
const CALLS_WITH_VALUE = [0xf1, 0xf2];
const STIPEND = 2_300n;
/** Maximum runs of a finding while it is minimised. */
const MINIMISING_RUNS = 300;
/** Distance of the seeds of neighbouring cases, so that runs with neighbouring seeds share none. */
const SEED_STRIDE = 0x9e3779b1;

/** The two builds of the engine by the rules of one hard fork. */
export interface Engines {
  readonly host: ScenarioHost;
  readonly plain: Engine;
  readonly traced: Engine;
  /** Steps of the traced build's latest execution. */
  readonly steps: Step[];
}

/** Makes the engines of a hard fork. */
export async function createEngines(hardfork: Hardfork): Promise<Engines> {
  const host = new ScenarioHost();
  const steps: Step[] = [];
  const plain = await Engine.create({ hardfork, host });
  const traced = await Engine.create({ hardfork, host, build: 'evm-steps' });
  traced.listener = listeningToSteps((step) => steps.push(step));
  return { host, plain, traced, steps };
}

/**
 * Runs a scenario with both builds and the oracle. Returns the differences in result, charge, output, logs, accounts,
 * storage or steps; nothing if they agree.
 */
export async function compareScenario(engines: Engines, scenario: Scenario): Promise<string[]> {
  const oracleSteps: Step[] = [];
  const expected = await runWithOracle(scenario, (step) => oracleSteps.push(step));
  const plain = runWithEngine(engines.plain, engines.host, scenario);
  engines.steps.length = 0;
  const traced = runWithEngine(engines.traced, engines.host, scenario);
  return [
    ...differences('the engine', plain, expected),
    ...differences('the traced engine', traced, expected),
    ...stepDifference(engines.steps, oracleSteps),
  ];
}

/** Accounts that only one of the two names are absent from the other. */
function differences(who: string, actual: Outcome, expected: Outcome): string[] {
  const { accounts, ...rest } = actual;
  const { accounts: expectedAccounts, ...expectedRest } = expected;
  const addresses = new Set([...Object.keys(accounts), ...Object.keys(expectedAccounts)]);
  const pairs: [string, unknown, unknown][] = [
    ['outcome', rest, expectedRest],
    ...[...addresses].map((key): [string, unknown, unknown] => [
      `account ${key}`,
      accounts[key],
      expectedAccounts[key],
    ]),
  ];
  return pairs
    .filter(([, value, wanted]) => !isDeepStrictEqual(value, wanted))
    .map(([what, value, wanted]) => `${who}: ${what} ${print(value)}, expected ${print(wanted)}`);
}

/** Returns the first different step, among those that both report. */
function stepDifference(actual: readonly Step[], expected: readonly Step[]): string[] {
  const [ours, theirs] = [actual, expected].map((steps) => steps.filter(isToldOf));
  const length = Math.max(ours?.length ?? 0, theirs?.length ?? 0);
  for (let index = 0; index < length; index += 1) {
    const [step, wanted] = [ours?.[index], theirs?.[index]];
    if (!equalSteps(step, wanted)) return [`step ${index}: ${print(step)}, expected ${print(wanted)}`];
  }
  return [];
}

/** True for a step that the oracle does not report: a STOP at the end of code, or a REVERT without its operands. */
function isToldOf({ opcode, stackHeight }: Step): boolean {
  return opcode !== STOP && (opcode !== REVERT || stackHeight >= REVERT_OPERANDS);
}

function equalSteps(step: Step | undefined, wanted: Step | undefined): boolean {
  if (step === undefined || wanted === undefined) return false;
  const isCall = CALLS_WITH_VALUE.includes(step.opcode);
  return (
    step.depth === wanted.depth &&
    step.programCounter === wanted.programCounter &&
    step.stackHeight === wanted.stackHeight &&
    step.stackTop === wanted.stackTop &&
    step.memorySize === wanted.memorySize &&
    // The oracle counts the refund of SSTORE before it reports the step.
    (step.opcode === SSTORE || step.refund === wanted.refund) &&
    (step.gas === wanted.gas || (isCall && step.gas + STIPEND === wanted.gas))
  );
}

function print(value: unknown): string {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part));
  return text ?? 'nothing';
}

/** Returns the scenario of case `index` of a run; the hard forks alternate. */
export function scenarioOf(seed: number, index: number): Scenario {
  const hardfork = HARDFORKS[index % HARDFORKS.length] ?? HARDFORKS[0];
  const mixed = createRandom((seed + Math.imul(index + 1, SEED_STRIDE)) >>> 0).below(2 ** 32);
  return randomScenario(mixed, hardfork);
}

/**
 * Minimises a finding: removes data and value, and replaces parts of the code by JUMPDEST, as long as results differ.
 */
export async function minimise(engines: Engines, scenario: Scenario): Promise<Scenario> {
  let smallest = scenario;
  let runs = 0;
  const tryOut = async (candidate: Scenario): Promise<void> => {
    if (runs >= MINIMISING_RUNS) return;
    runs += 1;
    if ((await compareScenario(engines, candidate).catch(() => [])).length > 0) smallest = candidate;
  };
  await tryOut({ ...smallest, value: 0n });
  if (smallest.target !== undefined) await tryOut({ ...smallest, data: new Uint8Array(0) });
  for (const [index, code] of scenario.contracts.entries()) {
    await tryOut(withCode(smallest, index, Uint8Array.of(STOP)));
    for (let size = code.length >> 1; size >= 1 && runs < MINIMISING_RUNS; size >>= 1) {
      for (let start = 0; start < code.length; start += size) {
        const current = smallest.contracts[index] ?? code;
        if (current.subarray(start, start + size).every((byte) => byte === JUMPDEST)) continue;
        await tryOut(withCode(smallest, index, current.slice().fill(JUMPDEST, start, start + size)));
      }
    }
  }
  return smallest;
}

function withCode(scenario: Scenario, index: number, code: Uint8Array): Scenario {
  return { ...scenario, contracts: scenario.contracts.map((old, at) => (at === index ? code : old)) };
}
