import { isTypeScript, type Problem, type Source } from './source.ts';
import { lineOf } from './syntax.ts';

/** An exported function, class or value. Types may be unnamed by their users. */
const EXPORTED = /^export (?:async )?(?:abstract )?(?:function\*?|class|const|let) (\w+)/gm;

/** Finds exports that no other file mentions. */
export function checkExports(sources: readonly Source[]): readonly Problem[] {
  const code = sources.filter((source) => /\.(tsx?|[cm]?js|vue)$/.test(source.path));
  const users = usersOfWords(code);
  return code
    .filter((source) => isTypeScript(source) || source.path.endsWith('.js'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(EXPORTED)]
        .filter(([, name = '']) => (users.get(name)?.size ?? 0) < 2)
        .map(({ 1: name, index }) => ({
          rule: 'exports',
          path,
          line: lineOf({ path, text }, index),
          message: `nothing imports ${name}`,
        })),
    );
}

/** Returns the files that contain each word. */
function usersOfWords(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? [])) {
      const files = users.get(word) ?? new Set();
      users.set(word, files.add(path));
    }
  }
  return users;
}
