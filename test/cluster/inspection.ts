import { setTimeout as delay } from 'node:timers/promises';
import type { BlockObject } from '../json-rpc.ts';
import { type Answered, ask } from './cluster-load.ts';
import type { ClusterNode } from './cluster-nodes.ts';

/** A block as it is compared, and what it moved. */
interface SeenBlock extends Pick<BlockObject, 'hash'> {
  readonly stateRoot: string;
  readonly transactions: readonly { readonly value: string }[];
}

/** Milliseconds between two looks. */
const LOOK_MS = 500;

/** Waits until one of the nodes has told of a block beyond a number. @throws Error with their output when none comes */
export async function untilHigher(
  nodes: readonly ClusterNode[],
  number: number,
  patienceMs: number,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!nodes.some(({ height }) => height > number)) {
    if (performance.now() > deadline) {
      throw new Error(`no block after ${number} came\n${nodes.map(({ output }) => output).join('\n')}`);
    }
    await delay(LOOK_MS);
  }
}

/**
 * Waits until all nodes have one head and all that was answered is in a block, and compares their chains.
 *
 * @param from number of the first block that is looked at
 * @returns what must not be
 */
export async function findDifferences(
  urls: readonly string[],
  answered: readonly Answered[],
  patienceMs: number,
  from = 1,
): Promise<string[]> {
  if (urls.length < 3) return [`only ${urls.length} nodes run`];
  const findings: string[] = [];
  const missing = await waitForReceipts(urls, answered, patienceMs);
  findings.push(...missing.map(({ hash, amount }) => `lost: ${hash}, a transfer of ${amount}`));
  const deadline = performance.now() + patienceMs;
  const heads = await Promise.all(urls.map((url) => askUntil<string>(deadline, url, 'eth_blockNumber')));
  const head = Math.min(...heads.map(Number));
  if (Number.isNaN(head)) return [...findings, `a node does not answer: ${heads.join()}`];
  const counts = new Map<string, number>();
  for (let number = Math.max(1, from); number <= head; number += 1) {
    const blocks = await Promise.all(
      urls.map((url) =>
        askUntil<SeenBlock>(deadline, url, 'eth_getBlockByNumber', `0x${number.toString(16)}`, true),
      ),
    );
    const [first] = blocks;
    for (const block of blocks) {
      const isSame =
        block !== undefined && block?.hash === first?.hash && block.stateRoot === first?.stateRoot;
      if (!isSame) findings.push(`block ${number} differs: ${blocks.map((one) => one?.hash).join()}`);
    }
    for (const { value } of first?.transactions ?? []) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  for (const [value, count] of counts) {
    if (count > 1) findings.push(`a transfer of ${BigInt(value)} is in the chain ${count} times`);
  }
  return findings;
}

/** Asks again where a busy machine had no answer in time, up to a moment. @returns undefined where there is none */
async function askUntil<T>(
  deadline: number,
  url: string,
  method: string,
  ...params: unknown[]
): Promise<T | undefined> {
  for (;;) {
    const answer = await ask<T>(url, method, ...params);
    if (answer !== undefined || performance.now() > deadline) return answer;
    await delay(LOOK_MS);
  }
}

/** Those of which not all nodes have a receipt in time. */
async function waitForReceipts(
  urls: readonly string[],
  answered: readonly Answered[],
  patienceMs: number,
): Promise<readonly Answered[]> {
  const deadline = performance.now() + patienceMs;
  let missing = answered;
  for (;;) {
    const still: Answered[] = [];
    for (const one of missing) {
      const receipts = await Promise.all(urls.map((url) => ask(url, 'eth_getTransactionReceipt', one.hash)));
      if (receipts.some((receipt) => receipt === undefined || receipt === null)) still.push(one);
    }
    missing = still;
    if (missing.length === 0 || performance.now() > deadline) return missing;
    await delay(LOOK_MS);
  }
}
