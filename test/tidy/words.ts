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

/** The first word of a docstring, which states neither an action nor a thing. */
const REJECTED_OPENING = /\/\*\*[\s*]*(What|Who|Whose|Whether|How|Where|When|Which)\b/g;

/** Docstrings that begin with a question word instead of a verb or a noun. */
export function checkDocstrings(sources: readonly Source[]): readonly Problem[] {
  return sources
    .filter(({ path }) => /\.(tsx?|js)$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(REJECTED_OPENING)].map((match) => ({
        rule: 'docstrings',
        path,
        line: text.slice(0, match.index).split('\n').length,
        message: `begins with ${match[1]}, not with a verb or a noun`,
      })),
    );
}
