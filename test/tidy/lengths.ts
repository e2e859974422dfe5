import { isAssembly, isTypeScript, type Problem, type Source } from './source.ts';
import { isNode, lineOf, nameOf, parseSource, type SyntaxNode, walk } from './syntax.ts';

/** Greatest lines of a file and of a function, and characters of a line. */
const FILE_LINES = 600;
const FUNCTION_LINES = 100;
const LINE_CHARACTERS = 160;
/** Greatest number of public members of a class. */
const CLASS_MEMBERS = 40;

/**
 * Finds files, functions, lines and classes that are far too long; in documents only lines of prose. Length is
 * guidance: these bounds catch only what nobody would write on purpose.
 */
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

/** Returns true for a public method, accessor or field of instances. */
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

/** Blanks code blocks, tables and unbreakable lines of a document; line numbers stay. */
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

/** Lists the first and last line of every function, except the blocks that group tests. */
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

/** A row of a suite: its first parameter has the checks, each of which is a separate function. */
function isCheckGroup({ params }: SyntaxNode): boolean {
  return Array.isArray(params) && nameOf(params[0]) === 'checks';
}

/** The closing brace of a formatted function, which has the indentation of its first line. */
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
