import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogObject } from '../../src/formatters/index.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import {
  clientOf,
  emit,
  emitter,
  hashOfBlock,
  logsOfBlock,
  openChain,
  pay,
  submit,
  type TestChain,
  type TestClient,
  TOPICS_OF,
  word,
} from './chain.ts';

type Topics = readonly (number | null | readonly number[])[];

/** Subject of a filter. */
type Kind =
  | { readonly kind: 'block' }
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'log';
      readonly from?: number;
      readonly contracts: readonly number[];
      readonly topics: Topics;
    };

type Step =
  | { readonly step: 'transact'; readonly logs: readonly { contract: number; topics: readonly number[] }[] }
  | { readonly step: 'mine' }
  | { readonly step: 'startMining' }
  | { readonly step: 'stopMining' }
  | { readonly step: 'revert'; readonly depth: number }
  | { readonly step: 'create'; readonly made: Kind }
  | { readonly step: 'poll' | 'peek' | 'uninstall'; readonly filter: number };

/** A filter as its client knows it, and the items that it must have received by the model. */
interface Watched {
  readonly id: string;
  readonly made: Kind;
  /** The head when it was made, and how many hashes had been accepted. */
  block: number;
  accepted: number;
  /** Logs that it reported and that are still in the chain, by their text; and removed ones since its last poll. */
  readonly reported: Map<string, LogObject>;
  removed: LogObject[];
  installed: boolean;
}

const topic = fc.integer({ min: 1, max: 3 });
const topics = fc.array(fc.oneof(topic, fc.constant(null), fc.array(topic, { maxLength: 2 })), {
  maxLength: 3,
});
const contracts = fc.array(fc.nat({ max: TOPICS_OF.length - 1 }), { maxLength: 2 });

const kind: fc.Arbitrary<Kind> = fc.oneof(
  fc.record({ kind: fc.constant('block' as const) }),
  fc.record({ kind: fc.constant('pending' as const) }),
  fc.record({ kind: fc.constant('log' as const), contracts, topics }),
  fc.record({ kind: fc.constant('log' as const), from: fc.integer({ min: 0, max: 12 }), contracts, topics }),
);

const emission = fc.record({
  contract: fc.nat({ max: TOPICS_OF.length - 1 }),
  topics: fc.array(topic, { minLength: 4, maxLength: 4 }),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('transact' as const),
      logs: fc.array(emission, { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constantFrom('mine', 'startMining', 'stopMining') }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('revert' as const), depth: fc.nat({ max: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('create' as const), made: kind }) },
  {
    weight: 6,
    arbitrary: fc.record({
      step: fc.constantFrom('poll', 'poll', 'poll', 'peek', 'uninstall'),
      filter: fc.nat({ max: 20 }),
    }),
  },
);

/** The ledger, its client, and a plain account of everything that happened. */
class World {
  readonly ledger: Ledger;
  readonly client: TestClient;
  readonly watched: Watched[] = [];
  readonly #accepted: string[] = [];
  #count = 0;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
    this.client = clientOf(ledger);
  }

  run(command: Step): void {
    if (command.step === 'transact') this.#transact(command.logs);
    else if (command.step === 'mine') this.ledger.miner.mine();
    else if (command.step === 'startMining') this.ledger.miner.startMining();
    else if (command.step === 'stopMining') this.ledger.miner.stopMining();
    else if (command.step === 'revert') this.#revert(command.depth);
    else if (command.step === 'create') this.#create(command.made);
    else this.#ask(command.step, command.filter);
  }

  #transact(logs: readonly { contract: number; topics: readonly number[] }[]): void {
    this.#count += 1;
    const number = this.#count;
    const emissions = logs.map(({ contract, topics: given }) => emit(contract, given, number));
    this.#accepted.push(...submit(this.ledger, pay(number), ...emissions));
  }

  #revert(depth: number): void {
    const head = this.ledger.blocks.head().number;
    const last = Math.max(1, head - depth);
    if (last === head) return;
    this.ledger.chain.revertTo(last);
    for (const watched of this.watched) {
      watched.block = Math.min(watched.block, last);
      for (const [text, log] of [...watched.reported].sort(
        ([, one], [, other]) => positionOf(one) - positionOf(other),
      )) {
        if (Number(log.blockNumber) <= last) continue;
        watched.reported.delete(text);
        watched.removed.push({ ...log, removed: true });
      }
    }
  }

  #create(made: Kind): void {
    const id = this.client.call(...callFor(made));
    if (typeof id !== 'string') throw new TypeError(`no id: ${JSON.stringify(id)}`);
    const block = this.ledger.blocks.head().number;
    const accepted = this.#accepted.length;
    this.watched.push({ id, made, block, accepted, reported: new Map(), removed: [], installed: true });
  }

  #ask(what: 'poll' | 'peek' | 'uninstall', index: number): void {
    const watched = this.watched[index % Math.max(this.watched.length, 1)];
    if (watched === undefined) return;
    if (what === 'uninstall') {
      expect(this.client.call('eth_uninstallFilter', watched.id)).toBe(watched.installed);
      watched.installed = false;
    } else if (what === 'poll') {
      this.poll(watched);
    } else if (watched.made.kind !== 'log') {
      expect(this.client.call('eth_getFilterLogs', watched.id)).toEqual(this.#expected(watched));
    } else if (watched.installed) {
      note(watched, this.client.call('eth_getFilterLogs', watched.id));
    }
  }

  poll(watched: Watched): void {
    const changes = this.client.call('eth_getFilterChanges', watched.id);
    expect(changes).toEqual(this.#expected(watched));
    if (watched.made.kind === 'log' && watched.installed) note(watched, changes);
    watched.removed = [];
    watched.block = this.ledger.blocks.head().number;
    watched.accepted = this.#accepted.length;
  }

  /** Returns the items due to the client of a filter, from blocks and receipts alone. */
  #expected({ made, block, accepted, removed, installed }: Watched): unknown {
    if (!installed) return { code: -32000, message: 'filter not found' };
    if (made.kind === 'pending') return this.#accepted.slice(accepted);
    const head = this.ledger.blocks.head().number;
    const numbers = Array.from({ length: head - block }, (_, index) => block + 1 + index);
    if (made.kind === 'block') return numbers.map((number) => hashOfBlock(this.ledger, number));
    const logs = numbers
      .filter((number) => number >= (made.from ?? 0))
      .flatMap((number) => logsOfBlock(this.client, number))
      .filter((log) => matches(log, made.contracts, made.topics));
    return [...removed, ...logs];
  }
}

/** Notes the logs that a filter reported. */
function note({ reported }: Watched, logs: unknown): void {
  for (const log of logs as LogObject[]) if (!log.removed) reported.set(JSON.stringify(log), log);
}

function positionOf({ blockNumber, logIndex }: LogObject): number {
  return 1_000 * Number(blockNumber) + Number(logIndex);
}

function callFor(made: Kind): [method: string, ...params: unknown[]] {
  if (made.kind === 'block') return ['eth_newBlockFilter'];
  if (made.kind === 'pending') return ['eth_newPendingTransactionFilter'];
  const given = made.topics.map((entry) => (Array.isArray(entry) ? entry.map(word) : wordOrNull(entry)));
  const range = made.from === undefined ? {} : { fromBlock: made.from };
  return ['eth_newFilter', { ...range, address: made.contracts.map(emitter), topics: given }];
}

function wordOrNull(entry: unknown): string | null {
  return typeof entry === 'number' ? word(entry) : null;
}

function matches(log: LogObject, among: readonly number[], wanted: Topics): boolean {
  if (among.length > 0 && !among.map(emitter).includes(log.address)) return false;
  return wanted.every((entry, position) => {
    const alternatives = [entry ?? []].flat();
    const found = log.topics[position];
    return (
      found !== undefined &&
      (alternatives.length === 0 || alternatives.map(word).includes(found as `0x${string}`))
    );
  });
}

let chain: TestChain;

beforeEach(async () => {
  chain = await openChain();
});

afterEach(() => chain.close());

test('behavior: whatever happens between polls, every client gets every item once and in order', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
      const world = new World(chain.ledger);
      for (const command of steps) world.run(command);
      for (const watched of world.watched) world.poll(watched);
      for (const watched of world.watched) world.poll(watched);
      chain.ledger.miner.startMining();
    }),
    { numRuns: 60 },
  );
});

test('behavior: two clients poll at different times', () => {
  const world = new World(chain.ledger);
  const log = { contract: 1, topics: [1, 2, 3, 1] };
  const made: Kind = { kind: 'log', contracts: [], topics: [] };
  const told: unknown[][] = [[], []];
  world.run({ step: 'create', made });
  world.run({ step: 'create', made });
  for (let round = 1; round <= 30; round += 1) {
    world.run({ step: 'transact', logs: [log, log] });
    for (const [client, every] of [3, 7].entries()) {
      const id = world.watched[client]?.id;
      if (round % every === 0)
        told[client]?.push(...(world.client.call('eth_getFilterChanges', id) as LogObject[]));
    }
  }
  const all = world.client.call('eth_getLogs', { fromBlock: 2 }) as LogObject[];
  expect(all).toHaveLength(60);
  expect(told).toEqual([all, all.slice(0, 56)]);
});
