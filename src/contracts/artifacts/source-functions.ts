/** A function, modifier or constructor in the text of a Solidity source. */
export interface SourceFunction {
  /** Its name, or its keyword for one without a name. */
  readonly name: string;
  readonly isModifier: boolean;
  /** Byte offsets of its first byte, and of the byte behind its last one. */
  readonly start: number;
  readonly end: number;
  /** The text before its body, which names its modifiers. */
  readonly header: string;
}

const COMMENT = /\/\/[^\n]*|\/\*.*?\*\//s;
const TEXT = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/;
const DEFINITION = /\b(?:function|modifier)\s+([\w$]+)|\b(constructor|fallback|receive)(?=\s*\()/;
/** Comments, texts, brackets, and the beginnings of definitions. */
const TOKENS = new RegExp([COMMENT, TEXT, /[{}();]/, DEFINITION].map(({ source }) => source).join('|'), 'gs');

/** Lists the functions with a body in a source, in their order. @param bytes the text in UTF-8 */
export function functionsIn(bytes: Buffer): SourceFunction[] {
  // A character for each byte, so that positions are those of source maps.
  const text = bytes.toString('latin1');
  const found: SourceFunction[] = [];
  let definition: Pick<SourceFunction, 'name' | 'isModifier' | 'start'> | undefined;
  let body: { readonly depth: number; readonly header: string } | undefined;
  let depth = 0;
  let parentheses = 0;
  for (const { 0: token, 1: named, 2: unnamed, index } of text.matchAll(TOKENS)) {
    if (token === '(') parentheses += 1;
    else if (token === ')') parentheses -= 1;
    else if (token === '{') {
      if (definition !== undefined && body === undefined && parentheses === 0)
        body = { depth, header: text.slice(definition.start, index) };
      depth += 1;
    } else if (token === '}') {
      depth -= 1;
      if (definition === undefined || body?.depth !== depth) continue;
      found.push({ ...definition, header: body.header, end: index + 1 });
      definition = undefined;
      body = undefined;
    } else if (body !== undefined) continue;
    // A declaration without a body.
    else if (token === ';') definition = undefined;
    else {
      const name = named ?? unnamed;
      if (name === undefined) continue;
      definition = { name, isModifier: token.startsWith('modifier'), start: index };
    }
  }
  return found;
}

/** Returns the function with a byte of its source; undefined for one outside of functions. */
export function functionAt(functions: readonly SourceFunction[], offset: number): SourceFunction | undefined {
  return functions.find(({ start, end }) => start <= offset && offset < end);
}
