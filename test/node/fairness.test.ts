import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { errorOf } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

const [ALICE, BOB] = [
  '0x0000000000000000000000000000000000000400',
  '0x0000000000000000000000000000000000000401',
];
/** Init code that calls SHA-256 until its time is up. */
const ENDLESS = '0x5b602060006000600060025afa50600056';
const ATTACKERS = 16;
/** Seconds that a call of theirs takes. */
const CALL_SECONDS = 0.1;
/** Milliseconds between two looks at whether this process runs, and in which it has stood still: less than a call. */
const LOOK_MS = 5;
const STANDSTILL_MS = 50;

let program: Program;

afterEach(() => program.stop());

/** Makes a call by a new connection. */
function callAnew(url: string, method: string, ...params: readonly unknown[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: 'POST', agent: false }, (response) => {
      response.resume().once('end', resolve);
    });
    asking.once('error', reject);
    asking.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  });
}

/** Has attackers call again and again by new connections; gives how many responses they have had, and their end. */
function attack(url: string): { responses(): number; stop(): Promise<void> } {
  let responses = 0;
  let isOver = false;
  const attackers = Array.from({ length: ATTACKERS }, async () => {
    while (!isOver) {
      await callAnew(url, 'eth_call', { data: ENDLESS });
      responses += 1;
    }
  });
  const stop = async (): Promise<void> => {
    isOver = true;
    await Promise.all(attackers);
  };
  return { responses: () => responses, stop };
}

/**
 * Counts until the machine has let this process run all the time: where that stands still, answers pile up that came
 * after the one that was waited for.
 */
async function whileRunning(count: () => Promise<number>): Promise<number> {
  for (;;) {
    let [last, longest] = [performance.now(), 0];
    const look = (): void => {
      const now = performance.now();
      [last, longest] = [now, Math.max(longest, now - last)];
    };
    const timer = setInterval(look, LOOK_MS);
    const counted = await count();
    look();
    clearInterval(timer);
    if (longest < STANDSTILL_MS) return counted;
  }
}

test('behavior: long calls from many connections delay neither sends nor short calls', async () => {
  program = await startProgram('--call-timeout', String(CALL_SECONDS));
  const transfer = { from: ALICE, to: BOB, value: '0x1' };
  await program.call('eth_estimateGas', transfer);
  const attackers = attack(program.url);
  // All of them wait, or have been answered.
  while (attackers.responses() < 2) await program.call('eth_blockNumber');
  const between: number[] = [];
  for (const method of ['eth_sendTransaction', 'eth_estimateGas', 'eth_sendTransaction']) {
    between.push(
      await whileRunning(async () => {
        const before = attackers.responses();
        await program.call(method, transfer);
        return attackers.responses() - before;
      }),
    );
  }
  await attackers.stop();
  // Those that run, one in each of two workers where there are some, and those whose answers were on their way.
  for (const answers of between) expect(answers).toBeLessThan(6);
});

test('error: a client does not get all filters', async () => {
  program = await startProgram();
  const body = Array.from({ length: 1_000 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_newBlockFilter',
  }));
  let filters = 0;
  for (let batch = 0; batch < 6; batch += 1) {
    const response = await fetch(program.url, { method: 'POST', body: JSON.stringify(body) });
    const answers: readonly { result?: string }[] = JSON.parse(await response.text());
    filters += answers.filter(({ result }) => result !== undefined).length;
  }
  expect(filters).toBe(5_000);
  expect(errorOf(await program.response('eth_newFilter', {}))).toEqual({
    code: -32005,
    message:
      'this client has 5000 filters, its share of the limit of 10000: uninstall one, or wait for a time-out',
  });
});
