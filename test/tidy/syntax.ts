import { parseSync } from 'rolldown/utils';
import type { Source } from './source.ts';

/** A node of a parsed source, with the fields that the checks read. */
export interface SyntaxNode {
  readonly type: string;
  /** Offsets into the text. */
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A comment of a source. */
export interface Comment {
  readonly start: number;
  readonly end: number;
}

/** A source, parsed. */
export interface ParsedSource {
  readonly source: Source;
  readonly program: SyntaxNode;
  readonly comments: readonly Comment[];
}

/**
 * Parses TypeScript.
 *
 * @throws when the source has a syntax error
 */
export function parseSource(source: Source): ParsedSource {
  const { program, comments, errors } = parseSync(source.path, source.text);
  if (errors.length > 0) throw new Error(`${source.path}: ${errors[0]?.message}`);
  if (!isNode(program)) throw new Error(`${source.path}: the parser gave no program`);
  return { source, program, comments };
}

/** Visits a node and all below it, parents first; `parent` is undefined for the first. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parent: SyntaxNode | undefined) => void,
  parent?: SyntaxNode,
): void {
  visit(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, node);
    }
  }
}

/** Returns true for a node of a parsed source. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}

/** Returns the name of an identifier; undefined for any other node. */
export function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' && typeof node.name === 'string' ? node.name : undefined;
}

/** Returns the line of an offset, counted from 1. */
export function lineOf(source: Source, offset: number): number {
  return source.text.slice(0, offset).split('\n').length;
}
