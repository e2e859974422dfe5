import type { z } from 'zod';
import { describeValue, shorten } from '../json/describe.ts';

/** Says what is wrong with something that should be an object of known keys. */
export function describeObjectIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.code !== 'unrecognized_keys') return `expected an object, got ${describeValue(issue.input)}`;
  return `unknown key ${JSON.stringify(shorten(issue.keys[0] ?? ''))}`;
}

/**
 * Says what is wrong with something that should be a list or a single value, in the words of the one that it
 * looks like. The schema of the list must be the first of the union, that of the value the second.
 */
export function describeListOrValue(issue: z.core.$ZodRawIssue): string {
  if (issue.code !== 'invalid_union') return 'not acceptable';
  const [problem] = issue.errors[Array.isArray(issue.input) ? 0 : 1] ?? [];
  if (problem === undefined) return 'not acceptable';
  return problem.path.length === 0 ? problem.message : `entry ${problem.path.join('.')}: ${problem.message}`;
}

/** Says that a list of `most` or fewer has more, and what of; for the `max` of a list's schema. */
export function tooMany(most: number, unit: string): { error: (issue: { input?: unknown }) => string } {
  return {
    error: ({ input }) =>
      `expected at most ${most} ${unit}, got ${Array.isArray(input) ? input.length : 'more'}`,
  };
}
