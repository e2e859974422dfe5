import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountAt } from '../../ledger/ledger.testing.ts';
import { formatAccountId } from '../../protocol/index.ts';
import { Cluster, clusterGenesis, INTERVAL_MS, PRODUCERS } from './cluster.testing.ts';

/** Clocks that are wrong by more than health allows, and by less than a block may be ahead. */

const SECOND_MS = 1_000;
const NAMES = [accountAt(-1), accountAt(0), accountAt(1)].map(formatAccountId);

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
});

afterEach(() => cluster.clean());

const keyOf = (index: number) => PRODUCERS.slice(index, index + 1);

/** Starts nodes with the key of one producer each, or none, whose clocks are ahead by so many seconds. */
async function start(aheads: readonly number[]) {
  const nodes = [];
  for (const [index, ahead] of aheads.entries()) {
    nodes.push(await cluster.start({ keys: keyOf(index), clockAhead: ahead * SECOND_MS }));
  }
  return nodes.map(({ runtime }) => runtime);
}

const secondsOf = (seconds: number) => `(${seconds - 1}|${seconds}|${seconds + 1}) s`;

describe('three producers', () => {
  test.each([
    [20, 'ahead of'],
    [-20, 'behind'],
  ])(
    'behavior: only the producer whose clock is %i s ahead reports a problem with its own clock',
    async (ahead, side) => {
      const [first, second, wrong] = await start([0, 0, ahead]);
      await cluster.time.pass(40 * INTERVAL_MS);
      cluster.expectOne();
      const difference = `${secondsOf(20)} ${side}`;
      for (const right of [first, second]) {
        expect(right?.health().problems).toEqual([]);
        expect(right?.health().warnings.join()).toMatch(
          new RegExp(`the clock of producer ${NAMES[2]} is ${difference} those of most producers`),
        );
      }
      expect(wrong?.health().problems).toContainEqual(
        expect.stringMatching(
          new RegExp(`^this machine's clock is ${difference} those of most producers \\(2 of 3\\)$`),
        ),
      );
    },
  );

  test('behavior: so does one that starts while the others stand still', async () => {
    const [wrong] = await start([20]);
    await cluster.time.pass(5 * INTERVAL_MS);
    const others = [await cluster.start({ keys: keyOf(1) }), await cluster.start({ keys: keyOf(2) })];
    await cluster.time.pass(10 * INTERVAL_MS);
    expect(wrong?.health().problems.join()).toContain("this machine's clock is 20 s ahead of those of most");
    for (const { runtime } of others) expect(runtime.health().problems).toEqual([]);
  });

  test('behavior: a node without a key compares its clock, and is in no majority', async () => {
    const [right, , , reader] = await start([0, 0, 0, 20]);
    await cluster.time.pass(10 * INTERVAL_MS);
    expect(right?.health().problems).toEqual([]);
    expect(right?.health().warnings).toEqual([]);
    expect(reader?.health().problems.join()).toContain('of most producers (3 of 3)');
  });

  test('behavior: clocks that differ by a little are right', async () => {
    const nodes = await start([0, 3, -3]);
    await cluster.time.pass(20 * INTERVAL_MS);
    for (const node of nodes) expect([...node.health().problems, ...node.health().warnings]).toEqual([]);
  });

  test('error: invalid clock readings are ignored', async () => {
    const [node] = await start([0, 0, 0]);
    for (const text of ['', `${NAMES[1]} x`, '1.2.77 1790000000000', `${NAMES[1]} ${'9'.repeat(99)}`]) {
      cluster.log.clocks.publish(new TextEncoder().encode(text), () => undefined);
    }
    await cluster.time.pass(5 * INTERVAL_MS);
    expect([...(node?.health().problems ?? []), ...(node?.health().warnings ?? [])]).toEqual([]);
  });
});

test('behavior: of two producers neither is known to be wrong, and both warn', async () => {
  cluster = new Cluster({ ...clusterGenesis(), producers: [accountAt(-1), accountAt(0)] });
  const [right, wrong] = await start([0, 20]);
  await cluster.time.pass(30 * INTERVAL_MS);
  for (const node of [right, wrong]) expect(node?.health().problems).toEqual([]);
  const reason = "this machine's, and no majority of producers shows which is right";
  expect(right?.health().warnings.join()).toContain(
    `the clock of producer ${NAMES[1]} is 20 s ahead of ${reason}`,
  );
  expect(wrong?.health().warnings.join()).toContain(
    `the clock of producer ${NAMES[0]} is 20 s behind ${reason}`,
  );
});
