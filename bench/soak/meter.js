/** Measures one part of the transactions. */

import { call } from '../../test/rpc-client.js';
import { memoryOf, processorSeconds } from '../harness/processor.js';
import { median } from '../harness/report.js';
import { diskOf, metricsOf } from './node.js';

const MEBIBYTE = 2 ** 20;

/** Names of the node's metrics. */
const METRICS = {
  heap: 'nodejs_heap_used_bytes',
  buffers: 'nodejs_array_buffer_bytes',
  pending: 'ledgerd_pending_transactions',
  apply: 'ledgerd_block_apply_seconds_sum',
  commit: 'ledgerd_block_commit_seconds_sum',
  blocks: 'ledgerd_block_apply_seconds_count',
};

/** Measures one part. */
export class Meter {
  #node;
  #dataDir;
  #before;
  #looks = [];

  constructor(node, dataDir) {
    this.#node = node;
    this.#dataDir = dataDir;
  }

  async begin() {
    this.#before = await this.#state();
  }

  /** Looks at the memory once. */
  async look() {
    const metrics = await this.#metrics();
    const { resident, own } = memoryOf(this.#node.processId);
    const [heap, buffers] = [metrics.heap / MEBIBYTE, metrics.buffers / MEBIBYTE];
    this.#looks.push({ resident, own, heap, buffers });
  }

  /** Returns true while transactions are pending. */
  async isPending() {
    return (await this.#metrics()).pending > 0;
  }

  /** Returns the measurements since the begin, for the given number of transactions. */
  async end(transactions) {
    await this.look();
    const [before, after] = [this.#before, await this.#state()];
    const since = (name) => after[name] - before[name];
    const most = (name) => Math.max(...this.#looks.map((look) => look[name]));
    return {
      height: after.height,
      rate: transactions / (since('time') / 1_000),
      perBlock: transactions / since('blocks'),
      applyMs: (1_000 * since('apply')) / transactions,
      commitMs: (1_000 * since('commit')) / transactions,
      blockMs: (1_000 * (since('apply') + since('commit'))) / since('blocks'),
      processorMs: (1_000 * since('processor')) / transactions,
      // The median matters more than the peaks of garbage.
      own: median(this.#looks.map(({ own }) => own)),
      ownMost: most('own'),
      residentMost: most('resident'),
      // The heap after a collection.
      heapLeast: Math.min(...this.#looks.map(({ heap }) => heap)),
      buffersMost: most('buffers'),
      disk: diskOf(this.#dataDir),
    };
  }

  async #state() {
    const { apply, commit, blocks } = await this.#metrics();
    const height = Number(await call(this.#node.url, 'eth_blockNumber'));
    const processor = processorSeconds(this.#node.processId);
    return { time: performance.now(), height, processor, apply, commit, blocks };
  }

  async #metrics() {
    const metrics = await metricsOf(this.#node.url);
    return Object.fromEntries(
      Object.entries(METRICS).map(([name, metric]) => {
        const value = metrics.get(metric);
        if (value === undefined) throw new Error(`the node has no metric ${metric}`);
        return [name, value];
      }),
    );
  }
}
