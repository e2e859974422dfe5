import { isProgram, isTest, isTypeScript, type Problem, type Source } from './source.ts';
import { lineOf, nameOf, type ParsedSource, parseSource, type SyntaxNode, walk } from './syntax.ts';

/** Error classes without a code for callers. */
const BARE_ERRORS = new Set(['Error', 'TypeError', 'RangeError', 'SyntaxError']);

/** The kind of a test in its title, perhaps after its subject. */
const TITLE = /(^|: )(default\b|(args|behavior|error): )/;

/** Finds `any`, bare errors and unproven `!`. */
export function checkCode(sources: readonly Source[]): readonly Problem[] {
  return sources.filter(isTypeScript).flatMap((source) => {
    const parsed = parseSource(source);
    const problems: Problem[] = [];
    walk(parsed.program, (node) => {
      const found = ruleBroken(node, parsed);
      if (found === undefined) return;
      problems.push({ path: source.path, line: lineOf(source, node.start), ...found });
    });
    return problems;
  });
}

function ruleBroken(node: SyntaxNode, parsed: ParsedSource): Pick<Problem, 'rule' | 'message'> | undefined {
  if (node.type === 'TSAnyKeyword') return { rule: 'any', message: 'any disables type checks' };
  if (node.type === 'TSNonNullExpression' && !hasComment(parsed, node)) {
    return { rule: 'non-null', message: 'an assertion without a comment that proves it' };
  }
  if (!isProgram(parsed.source)) return undefined;
  if (node.type === 'ThrowStatement' && isBareError(node.argument)) {
    return { rule: 'bare-error', message: 'throws an error without a class of the project' };
  }
  return undefined;
}

function isBareError(node: unknown): boolean {
  const thrown = node as SyntaxNode | undefined;
  return thrown?.type === 'NewExpression' && BARE_ERRORS.has(nameOf(thrown.callee) ?? '');
}

/** Returns true if a comment ends on the line of the node or on the one above. */
function hasComment({ source, comments }: ParsedSource, node: SyntaxNode): boolean {
  const line = lineOf(source, node.start);
  return comments.some((comment) => [line - 1, line].includes(lineOf(source, comment.end)));
}

/** Finds test titles without the form of titles. Examples have those of their users. */
export function checkTitles(sources: readonly Source[]): readonly Problem[] {
  return sources
    .filter(({ path }) => isTest({ path }) && path.endsWith('.test.ts') && !path.startsWith('examples/'))
    .flatMap((source) => {
      const problems: Problem[] = [];
      walk(parseSource(source).program, (node) => {
        const title = titleOf(node);
        if (title === undefined || TITLE.test(title)) return;
        const message = `"${title}" contains none of default, args:, behavior:, error:`;
        problems.push({ rule: 'titles', path: source.path, line: lineOf(source, node.start), message });
      });
      return problems;
    });
}

/** Returns the literal title of a test declaration. */
function titleOf(node: SyntaxNode): string | undefined {
  if (node.type !== 'CallExpression' || !['test', 'it'].includes(nameOf(node.callee) ?? '')) return undefined;
  const [title] = node.arguments as readonly (SyntaxNode | undefined)[];
  return title?.type === 'Literal' && typeof title.value === 'string' ? title.value : undefined;
}
