import { describe, expect, test } from 'vitest';
import { MemoryBudget } from '../../scheduling/index.ts';
import { shape } from '../../view/index.ts';
import type { Caller, Dispatcher } from '../index.ts';
import { defineMethod } from '../method.ts';
import { stubDispatcher } from '../rpc.testing.ts';

const ANSWER_CHARACTERS = 100_000;
const ANSWERS_MAX = 20;

/** Answers with a long text. */
const long = defineMethod({
  name: 'long',
  summary: 'Answers at length.',
  section: 'client',
  parameters: [],
  work: 'turn',
  result: shape.text,
  handler: () => 'x'.repeat(ANSWER_CHARACTERS),
});

interface Tested {
  readonly dispatcher: Dispatcher;
  readonly budget: MemoryBudget;
  /** A connection of somebody. */
  caller(): Caller & Required<Pick<Caller, 'budget'>>;
}

/** A dispatcher that gives turns of one call each, and room for twenty long responses. */
function tested(waitMsMax?: number): Tested {
  const budget = new MemoryBudget({ bytesMax: ANSWERS_MAX * ANSWER_CHARACTERS, waitMsMax });
  const dispatcher = stubDispatcher({ limits: { turnMsMax: 0 } }, new Map([['long', long]]));
  return { dispatcher, budget, caller: () => ({ client: 'a', budget: budget.open('a') }) };
}

const request = { jsonrpc: '2.0', id: 1, method: 'long' };

/** The codes of the errors of a response, and how many results it has. */
async function judge(
  answer: ReturnType<Dispatcher['handle']>,
): Promise<{ results: number; errors: unknown }> {
  const answers = [JSON.parse(String(await answer))].flat();
  const errors = new Set(answers.flatMap(({ error }) => (error === undefined ? [] : [error.code])));
  return { results: answers.filter(({ result }) => result !== undefined).length, errors: [...errors] };
}

describe('long answers', () => {
  test('default', async () => {
    const { dispatcher, budget, caller } = tested();
    const one = caller();
    expect(await judge(dispatcher.handle(JSON.stringify(new Array(4).fill(request)), one))).toEqual({
      results: 4,
      errors: [],
    });
    expect(budget.held.answers).toBeGreaterThan(4 * ANSWER_CHARACTERS);
    one.budget?.close();
    expect(budget.held.answers).toBe(0);
  });

  test('behavior: batches that together find no room are worked on one after the other', async () => {
    const { dispatcher, budget, caller } = tested();
    const body = JSON.stringify(new Array(6).fill(request));
    let most = 0;
    const judged = [1, 2, 3, 4].map(async () => {
      const one = caller();
      const answer = dispatcher.handle(body, one);
      void Promise.resolve(answer).then(() => {
        most = Math.max(most, budget.held.answers);
        one.budget?.close();
      });
      return judge(answer);
    });
    expect(await Promise.all(judged)).toEqual(new Array(4).fill({ results: 6, errors: [] }));
    // What all may take, then what the first one takes, and one response more.
    expect(most).toBeLessThan((ANSWERS_MAX / 2 + 6 + 1) * ANSWER_CHARACTERS);
  });

  test('error: what of a batch finds no room for too long', async () => {
    const { dispatcher, caller } = tested(0);
    caller().budget?.hold('unread', (ANSWERS_MAX / 2 + 1) * ANSWER_CHARACTERS);
    caller().budget?.beginBatch();
    const answer = dispatcher.handle(JSON.stringify([request, request]), caller());
    expect(await judge(answer)).toEqual({ results: 0, errors: [-32005] });
  });

  test('error: a request whose turn comes when there is no room left', async () => {
    const { dispatcher, caller } = tested();
    const answer = dispatcher.handle(JSON.stringify(request), caller());
    expect(answer).toBeInstanceOf(Promise);
    caller().budget?.hold('unread', ANSWERS_MAX * ANSWER_CHARACTERS);
    expect(await judge(answer)).toEqual({ results: 0, errors: [-32005] });
    expect(await judge(dispatcher.handle(JSON.stringify(request), caller()))).toEqual({
      results: 0,
      errors: [-32005],
    });
  });
});
