import type { Problem, Source } from './source.ts';

/** Forbidden texts, written so that this file does not contain them. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/\bissue\s+#\d*/i, 'a number that means nothing to a reader of the code'],
  [/\bshared\/(?=[a-z])/, 'a folder that is not in the tree'],
  [/(?<![\w.])\/(work|root|home|tmp)\//, 'a path of one machine'],
  [
    new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')}|${['XX', 'X'].join('')})\\b`),
    'work left for later',
  ],
  [/\bregistry\.[a-z-]+\.[a-z]+/i, 'a package registry'],
];

/** Finds words that the project's files must not contain. */
export function checkWords(sources: readonly Source[]): readonly Problem[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) =>
      FORBIDDEN.filter(([pattern]) => pattern.test(line)).map(([pattern, reason]) => ({
        rule: 'words',
        path,
        line: index + 1,
        message: `mentions ${JSON.stringify(pattern.exec(line)?.[0])}: ${reason}`,
      })),
    ),
  );
}
