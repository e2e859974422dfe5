import { isAssembly, isTypeScript, type Problem, type Source } from './source.ts';
import { isNode, lineOf, nameOf, parseSource, type SyntaxNode, walk } from './syntax.ts';

/** Lines of a file and of a function, characters of a line. */
const FILE_LINES = 400;
const FUNCTION_LINES = 70;
const LINE_CHARACTERS = 120;
/** Public members of a class of the program: one with more is several. */
const CLASS_MEMBERS = 20;

/** Files, functions, lines and classes that are too long; of documents the lines of their prose. */
export function checkLengths(sources: readonly Source[]): readonly Problem[] {
  const code = sources.filter(({ path }) => /\.(tsx?|js|css|sol)$/.test(path));
  const documents = sources.filter(({ path }) => path.endsWith('.md'));
  return [
    ...code.flatMap((source) => [...longFile(source), ...longLines(source), ...longFunctions(source)]),
    ...code
      .filter(({ path }) => /^src\/(?!.*\/assembly\/).*(?<!\.test|\.testing)\.ts$/.test(path))
      .flatMap(wideClasses),
    ...documents.flatMap((source) => longLines({ ...source, text: proseOf(source.text) })),
  ];
}

function wideClasses(source: Source): Problem[] {
  const problems: Problem[] = [];
  walk(parseSource(source).program, (node) => {
    if (node.type !== 'ClassBody' || !Array.isArray(node.body)) return;
    const members = node.body.filter(isPublicMember);
    const names = new Set(members.map(({ key }) => nameOf(key)));
    if (names.size <= CLASS_MEMBERS) return;
    const message = `a class with ${names.size} public members`;
    problems.push({ rule: 'class-members', path: source.path, line: lineOf(source, node.start), message });
  });
  return problems;
}

/** A method, accessor or field of instances that other code may use. */
function isPublicMember(node: unknown): node is SyntaxNode {
  if (!isNode(node) || node.static === true || node.kind === 'constructor') return false;
  const isPrivate = isNode(node.key) && node.key.type === 'PrivateIdentifier';
  return !isPrivate && node.accessibility !== 'private' && node.accessibility !== 'protected';
}

function longFile({ path, text }: Source): Problem[] {
  const count = text.replace(/\n$/, '').split('\n').length;
  return count > FILE_LINES ? [{ rule: 'file-length', path, line: 0, message: `${count} lines` }] : [];
}

function longLines({ path, text }: Source): Problem[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > LINE_CHARACTERS
        ? [{ rule: 'line-length', path, line: index + 1, message: `a line of ${line.length} characters` }]
        : [],
    );
}

/** A document without its blocks of code, its tables, and lines that have no place to break; its lines stay. */
function proseOf(document: string): string {
  let fence: string | undefined;
  const lines = document.split('\n').map((line) => {
    const [, found] = /^\s*(```|~~~)/.exec(line) ?? [];
    if (found !== undefined && (fence === undefined || fence === found)) {
      fence = fence === undefined ? found : undefined;
    }
    const isProse = fence === undefined && !/^\s*\|/.test(line) && /\S\s+\S/.test(line);
    return isProse ? line : '';
  });
  return lines.join('\n');
}

function longFunctions(source: Source): Problem[] {
  const spans = isAssembly(source) ? assemblyFunctions(source) : syntaxFunctions(source);
  return spans.flatMap(([first, last]) => {
    const count = last - first + 1;
    if (count <= FUNCTION_LINES) return [];
    return [
      { rule: 'function-length', path: source.path, line: first, message: `a function of ${count} lines` },
    ];
  });
}

/** First and last line of every function, but not of the blocks that merely group tests. */
function syntaxFunctions(source: Source): [number, number][] {
  if (!isTypeScript(source) && !source.path.endsWith('.js')) return [];
  const spans: [number, number][] = [];
  walk(parseSource(source).program, (node, parent) => {
    const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
    if (isFunction && !isTestGroup(parent) && !isCheckGroup(node)) {
      spans.push([lineOf(source, node.start), lineOf(source, node.end)]);
    }
  });
  return spans;
}

function isTestGroup(node: SyntaxNode | undefined): boolean {
  return node?.type === 'CallExpression' && nameOf(node.callee) === 'describe';
}

/** A row of a suite: what it is given first are the checks, each of which is a function of its own. */
function isCheckGroup({ params }: SyntaxNode): boolean {
  return Array.isArray(params) && nameOf(params[0]) === 'checks';
}

/** In formatted code the brace that closes a function stands below the beginning of its first line. */
function assemblyFunctions({ text }: Source): [number, number][] {
  const lines = text.split('\n');
  return lines.flatMap((line, index): [number, number][] => {
    const start =
      /^(\s*)(?!.*\b(if|for|while|switch|else|do|return|class)\b)(?:[@\w\s]*\bfunction\s+)?\w+(<.*>)?\(/.exec(
        line,
      );
    if (start === null || line.trimEnd().endsWith(';')) return [];
    const length = lines.slice(index + 1).indexOf(`${start[1]}}`);
    return length < 0 || line.includes('}') ? [] : [[index + 1, index + 2 + length]];
  });
}
