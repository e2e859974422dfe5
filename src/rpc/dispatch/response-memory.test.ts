import { describe, expect, test } from 'vitest';
import { shape } from '../../formatters/index.ts';
import { MemoryBudget } from '../../scheduling/index.ts';
import type { Caller, Dispatcher } from '../index.ts';
import { defineMethod } from '../method.ts';
import { stubDispatcher } from '../rpc.testing.ts';

const RESPONSE_CHARACTERS = 100_000;
const RESPONSES_MAX = 20;

/** A method with a long result. */
const long = defineMethod({
  name: 'long',
  summary: 'Returns a long text.',
  section: 'client',
  parameters: [],
  scheduling: 'turn',
  beforeFork: 'local',
  result: shape.text,
  handler: () => 'x'.repeat(RESPONSE_CHARACTERS),
});

interface Tested {
  readonly dispatcher: Dispatcher;
  readonly budget: MemoryBudget;
  /** Opens a connection. */
  caller(): Caller & Required<Pick<Caller, 'budget'>>;
}

/** Returns a dispatcher with time slices of one call each and memory for twenty long responses. */
function tested(waitMsMax?: number): Tested {
  const budget = new MemoryBudget({ bytesMax: RESPONSES_MAX * RESPONSE_CHARACTERS, waitMsMax });
  const dispatcher = stubDispatcher({ limits: { timeSliceMsMax: 0 } }, new Map([['long', long]]));
  return { dispatcher, budget, caller: () => ({ client: 'a', budget: budget.open('a') }) };
}

const request = { jsonrpc: '2.0', id: 1, method: 'long' };

/** Returns the error codes of a response, and the number of its results. */
async function judge(
  response: ReturnType<Dispatcher['handle']>,
): Promise<{ results: number; errors: unknown }> {
  const responses = [JSON.parse(String(await response))].flat();
  const errors = new Set(responses.flatMap(({ error }) => (error === undefined ? [] : [error.code])));
  return { results: responses.filter(({ result }) => result !== undefined).length, errors: [...errors] };
}

describe('memory of responses', () => {
  test('default', async () => {
    const { dispatcher, budget, caller } = tested();
    const one = caller();
    expect(await judge(dispatcher.handle(JSON.stringify(new Array(4).fill(request)), one))).toEqual({
      results: 4,
      errors: [],
    });
    expect(budget.held.answers).toBeGreaterThan(4 * RESPONSE_CHARACTERS);
    one.budget?.close();
    expect(budget.held.answers).toBe(0);
  });

  test('behavior: batches that exceed the memory together run one after the other', async () => {
    const { dispatcher, budget, caller } = tested();
    const body = JSON.stringify(new Array(6).fill(request));
    let most = 0;
    const judged = [1, 2, 3, 4].map(async () => {
      const one = caller();
      const response = dispatcher.handle(body, one);
      void Promise.resolve(response).then(() => {
        most = Math.max(most, budget.held.answers);
        one.budget?.close();
      });
      return judge(response);
    });
    expect(await Promise.all(judged)).toEqual(new Array(4).fill({ results: 6, errors: [] }));
    // The share of all batches, then the first batch, and one more response.
    expect(most).toBeLessThan((RESPONSES_MAX / 2 + 6 + 1) * RESPONSE_CHARACTERS);
  });

  test('error: a batch that waits too long for memory', async () => {
    const { dispatcher, caller } = tested(0);
    caller().budget?.hold('unread', (RESPONSES_MAX / 2 + 1) * RESPONSE_CHARACTERS);
    caller().budget?.beginBatch();
    const response = dispatcher.handle(JSON.stringify([request, request]), caller());
    expect(await judge(response)).toEqual({ results: 0, errors: [-32005] });
  });

  test('error: a queued request without memory left', async () => {
    const { dispatcher, caller } = tested();
    const response = dispatcher.handle(JSON.stringify(request), caller());
    expect(response).toBeInstanceOf(Promise);
    caller().budget?.hold('unread', RESPONSES_MAX * RESPONSE_CHARACTERS);
    expect(await judge(response)).toEqual({ results: 0, errors: [-32005] });
    expect(await judge(dispatcher.handle(JSON.stringify(request), caller()))).toEqual({
      results: 0,
      errors: [-32005],
    });
  });
});
