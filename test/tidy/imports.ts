import { posix } from 'node:path';
import { isAssembly, isTypeScript, type Source } from './source.ts';
import { isNode, lineOf, parseSource, type SyntaxNode, walk } from './syntax.ts';

/** One import of a file of the project by another. */
export interface Import {
  /** Paths of the two files. */
  readonly from: string;
  readonly to: string;
  readonly line: number;
  /** True if only types are imported. */
  readonly isType: boolean;
}

/** Lists every import of one file of the project by another. */
export function importsOf(sources: readonly Source[]): readonly Import[] {
  return sources.flatMap((source) => {
    if (isAssembly(source)) return assemblyImports(source);
    return isTypeScript(source) ? typeScriptImports(source) : [];
  });
}

function typeScriptImports(source: Source): Import[] {
  const found: Import[] = [];
  walk(parseSource(source).program, (node) => {
    const target = targetOf(node);
    if (target === undefined || !target.startsWith('.')) return;
    found.push({
      from: source.path,
      to: resolved(source.path, target),
      line: lineOf(source, node.start),
      isType: isTypeImport(node),
    });
  });
  return found;
}

/** Returns the target of an import, a re-export or `import()`. */
function targetOf(node: SyntaxNode): string | undefined {
  const isImport = /^(Import|ExportNamed|ExportAll)Declaration$|^ImportExpression$/.test(node.type);
  const target = isImport ? node.source : undefined;
  return isNode(target) && typeof target.value === 'string' ? target.value : undefined;
}

function isTypeImport(node: SyntaxNode): boolean {
  if (node.importKind === 'type' || node.exportKind === 'type') return true;
  const names = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
  return names.length > 0 && names.every((name) => name.importKind === 'type' || name.exportKind === 'type');
}

/** Reads imports of AssemblyScript, which omits file endings and has syntax that a TypeScript parser rejects. */
function assemblyImports(source: Source): Import[] {
  return [...source.text.matchAll(/\bfrom\s*['"](\.[^'"]+)['"]/g)].map((match) => {
    const target = resolved(source.path, match[1] ?? '');
    return {
      from: source.path,
      to: target.endsWith('.ts') ? target : `${target}.ts`,
      line: lineOf(source, match.index),
      isType: false,
    };
  });
}

function resolved(from: string, target: string): string {
  return posix.join(posix.dirname(from), target);
}
