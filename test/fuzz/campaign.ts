import type { Ledger } from '../../src/ledger/index.ts';
import { ETHEREUM_METHODS, METHODS, type ProfileId, type Response } from '../../src/rpc/index.ts';
import { DEFAULT_SERVER_LIMITS } from '../../src/server/server-limits.ts';
import { type FuzzCase, makeCase, printBody } from './cases.ts';
import { isOfSubscriptions, judge, type Outcome } from './judge.ts';
import { LiveValues } from './live-values.ts';
import type { Material } from './material.ts';
import { memoryInUse } from './memory.ts';
import { Random } from './random.ts';
import { Tally } from './tally.ts';
import { compileWorldContracts, openWorld, type World } from './world.ts';

/** Duration and seed of a campaign. */
export interface CampaignOptions {
  readonly seed: number;
  /** Profile whose methods are called; `/` by default. */
  readonly profile?: ProfileId;
  /** Returns true to end; called before every case. */
  isOver(cases: number): boolean;
  /** Gets a line of progress every few seconds. */
  report?(line: string): void;
}

/** The summary of a campaign without findings. */
export interface CampaignSummary {
  readonly cases: number;
  readonly tally: Tally;
  /** Bytes in use after each round, when its world was closed. */
  readonly memoryAfterRounds: readonly number[];
  /** The most bytes that came to be in use within a round. */
  readonly growthWithinRounds: number;
}

/** A wrong response, with everything that is needed to reproduce it. */
class FuzzFinding extends Error {
  override readonly name = 'FuzzFinding';
}

/** Cases on one world; each round begins with a fresh one. */
const ROUND_CASES = 20_000;
/** Cases between two ticks of a world's clock. */
const CLOCK_CASES = 64;
/** Cases between two comparisons of the state root with a scan of the store. */
const ROOT_CASES = 1_000;
/** One refused request of so many is checked by a scan of the store before and after. */
const SCAN_SHARE = 200;
const REPORT_MS = 5_000;

/** Methods that may change the ledger or the wallet, in addition to those that control a test chain. */
const CHANGING =
  /^((eth|personal)_send|personal_(new|import|lock|unlock)|miner_|evm_|\w+_(stop|auto)?[iI]mpersonat|ledger_submit)/;

/**
 * Sends cases until it is over. A seed determines the cases, except for random numbers of the node.
 *
 * @throws FuzzFinding at the first wrong response
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignSummary> {
  const contracts = await compileWorldContracts();
  const tally = new Tally();
  const memoryAfterRounds: number[] = [];
  let [cases, growthWithinRounds] = [0, 0];
  const progress = progressReporter(options.report);
  for (let round = 0; !options.isOver(cases); round += 1) {
    const world = await openWorld(contracts, options.profile);
    try {
      const atStart = memoryInUse();
      const run = new Round(new Random(options.seed + round), world, tally);
      const last = cases + ROUND_CASES;
      for (; cases < last && !options.isOver(cases); cases += 1) {
        const finding = await run.next();
        if (finding !== undefined) {
          throw new FuzzFinding(`seed ${options.seed}, round ${round}, case ${cases}: ${finding}`);
        }
        progress(cases);
      }
      const [problem] = run.rootProblems();
      if (problem !== undefined) throw new FuzzFinding(`seed ${options.seed}, round ${round}: ${problem}`);
      growthWithinRounds = Math.max(growthWithinRounds, memoryInUse() - atStart);
    } finally {
      await world.close();
    }
    memoryAfterRounds.push(memoryInUse());
  }
  return { cases, tally, memoryAfterRounds, growthWithinRounds };
}

function progressReporter(report: CampaignOptions['report']): (cases: number) => void {
  const began = performance.now();
  let due = began + REPORT_MS;
  return (cases) => {
    const now = performance.now();
    if (report === undefined || now < due) return;
    due = now + REPORT_MS;
    const rate = Math.round((cases / (now - began)) * 1_000);
    report(
      `${cases} cases, ${rate} cases/s, ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB resident`,
    );
  };
}

/** The cases on one world. */
class Round {
  readonly #material: Material;
  readonly #tally: Tally;
  #cases = 0;
  /** The fingerprint of the world before the next case. */
  #before: string;

  constructor(random: Random, world: World, tally: Tally) {
    this.#material = { random, world, live: new LiveValues(random, world) };
    this.#tally = tally;
    this.#before = world.fingerprint();
  }

  /** Sends one case. Returns the violation, if any. */
  async next(): Promise<string | undefined> {
    const { world, random } = this.#material;
    this.#cases += 1;
    if (this.#cases % CLOCK_CASES === 0) {
      world.advanceClock(1);
      this.#before = world.fingerprint();
    }
    const fuzzed = makeCase(this.#material);
    const rootBefore = random.oneIn(SCAN_SHARE) ? world.scannedRoot() : undefined;
    const answer = await this.#send(fuzzed).catch((error: unknown) => `thrown: ${describe(error)}`);
    const { problems, outcomes } = judge(fuzzed.body, answer, fuzzed.overHttp, this.#material.world.profile);
    const found = [...problems, ...this.#otherProblems(fuzzed, outcomes, rootBefore)];
    for (const outcome of outcomes) this.#record(outcome);
    if (this.#cases % ROOT_CASES === 0) {
      found.push(...this.rootProblems());
      // Else there would be no more subscriptions before long: a connection may have so many.
      world.dispatcher.subscriptions.removeAll(world.caller.notifications.subscriber);
    }
    if (found.length === 0) return undefined;
    return `${found.join('; ')}\nbody: ${printBody(fuzzed.body)}\nanswer: ${answer}`;
  }

  /** Reports a head whose state root differs from the stored state. */
  rootProblems(): readonly string[] {
    const { world } = this.#material;
    const [scanned, committed] = [world.scannedRoot(), world.committedRoot()];
    return scanned === committed ? [] : [`the state root is ${scanned}, the head says ${committed}`];
  }

  async #send({ body, overHttp }: FuzzCase): Promise<string | undefined> {
    const { world } = this.#material;
    const waiting = waitingRegistrations(world.ledger);
    const answer = overHttp
      ? sendOverHttp(world.url, body)
      : world.dispatcher.handle(body, world.caller, world.profile);
    const text = answer instanceof Promise ? await settled(answer, world, waiting) : answer;
    if (text !== undefined && !overHttp) world.caller.responded();
    return text?.toString();
  }

  #record(outcome: Outcome): void {
    this.#tally.add(outcome);
    if (outcome.kind === 'result') this.#material.live.learn(outcome.method, outcome.result);
  }

  #otherProblems(
    { isSound, overHttp }: FuzzCase,
    outcomes: readonly Outcome[],
    rootBefore: string | undefined,
  ): string[] {
    const { world } = this.#material;
    const problems = world.takeFailures().map((failure) => `the node failed: ${describe(failure)}`);
    const [outcome] = outcomes;
    const isRefused = outcome !== undefined && overHttp && isOfSubscriptions(outcome.method);
    // On /ethereum a range of logs that passes the head is malformed.
    const dependsOnHead = outcome?.method === 'eth_getLogs' && world.profile === 'ethereum';
    if (isSound && outcome !== undefined && !isRefused && !dependsOnHead && /^-32[67]/.test(outcome.kind)) {
      problems.push('a sound request is answered as a malformed one');
    }
    const after = world.fingerprint();
    if (!outcomes.some(mayChange)) {
      if (after !== this.#before) problems.push(`a refused request changed ${this.#before} to ${after}`);
      if (rootBefore !== undefined && rootBefore !== world.scannedRoot())
        problems.push('the state root changed');
    }
    this.#before = after;
    if (Reflect.has({}, 'polluted') || Reflect.has([], 'polluted')) problems.push('a prototype was polluted');
    return problems;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function mayChange({ method, kind }: Outcome): boolean {
  // A transaction that is pending longer than its sender waits was accepted, too.
  const isAccepted = kind === 'result' || kind === 'notification' || kind === '4';
  // The blocks are others, also where a transaction for them is refused.
  if (method.endsWith('_reorg')) return kind !== '-32602';
  const definition = METHODS.get(method) ?? ETHEREUM_METHODS.get(method);
  const isControl = definition?.chains === 'test' && definition.scheduling === 'send';
  return isAccepted && (CHANGING.test(method) || isControl);
}

/** Waits for a response; makes a block if it waits for one. */
async function settled(
  answer: Promise<Response>,
  { ledger }: World,
  registrationsBefore: number,
): Promise<Response> {
  let isSettled = false;
  const settling = answer.finally(() => {
    isSettled = true;
  });
  while (!isSettled) {
    await new Promise(setImmediate);
    if (!isSettled && waitingRegistrations(ledger) > registrationsBefore) ledger.miner.mine();
  }
  return settling;
}

function waitingRegistrations(ledger: Ledger): number {
  return ledger.pool
    .pendingOperations()
    .filter(
      ({ operation }) =>
        operation.type === 'accountCreate' && operation.registrar === ledger.parameters.registrar,
    ).length;
}

async function sendOverHttp(url: string, body: Uint8Array): Promise<string | undefined> {
  const response = await fetch(url, { method: 'POST', body });
  const text = await response.text();
  if (response.status === 204 && text === '') return undefined;
  const status = body.length > DEFAULT_SERVER_LIMITS.bodyBytesMax ? 413 : 200;
  if (response.status === status && /^application\/json\b/.test(response.headers.get('content-type') ?? ''))
    return text;
  return `HTTP ${response.status} ${response.headers.get('content-type')} ${text}`;
}
