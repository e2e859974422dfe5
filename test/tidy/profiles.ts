import { isProgram, type Problem, type Source } from './source.ts';

/** Folders that serve both profiles. */
const SERVING = /^src\/(rpc|formatters|wallet|server|node)\//;

/** Folders of what one profile has. */
const OWN = /^src\/rpc\/(native|ethereum)\//;

const CONDITION = /([!=]==? |case )'(ledger|ethereum)'|'(ledger|ethereum)' [!=]==?/;

/** Finds conditions on the id of a profile outside of the folders of one profile: a difference is data, or a method. */
export function checkProfiles(sources: readonly Source[]): readonly Problem[] {
  return sources
    .filter((source) => isProgram(source) && SERVING.test(source.path) && !OWN.test(source.path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          CONDITION.test(line)
            ? [{ rule: 'profiles', path, line: index + 1, message: 'a condition on the id of a profile' }]
            : [],
        ),
    );
}
