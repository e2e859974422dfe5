import { ABI_DEPTH_MAX, ABI_PARAMETERS_MAX, SHOWN_TYPE_CHARACTERS_MAX } from './limits.ts';
import { AbiError, type AbiParameter, type AbiType, elementaryType } from './types.ts';

const ARRAY = /^(.*)\[(\d{0,10})\]$/s;

/** Counter that bounds the parameters of one function. */
interface Count {
  left: number;
}

/**
 * Reads the parameters of a function, an error or an event from its JSON description.
 *
 * @param path prefix of paths in errors
 * @throws AbiError for a malformed description, or too many parameters
 */
export function readParameters(json: unknown, path = 'inputs'): readonly AbiParameter[] {
  return parametersOf(json ?? [], path, ABI_DEPTH_MAX, { left: ABI_PARAMETERS_MAX });
}

/** Reads a type by its name, such as `(uint256,address)[2]` or `bytes32`. @throws AbiError */
export function readType(text: string): AbiType {
  return typeOf(text.replaceAll(/\s/g, ''), undefined, 'type', ABI_DEPTH_MAX, { left: ABI_PARAMETERS_MAX });
}

function parametersOf(json: unknown, path: string, depth: number, count: Count): readonly AbiParameter[] {
  if (!Array.isArray(json)) throw new AbiError(path, 'expected a list of parameters');
  return json.map((parameter: unknown, index) => {
    const here = `${path}[${index}]`;
    count.left -= 1;
    if (count.left < 0) throw new AbiError(here, `more than ${ABI_PARAMETERS_MAX} parameters`);
    if (typeof parameter !== 'object' || parameter === null) throw new AbiError(here, 'expected an object');
    const { name, type, components } = parameter as Record<string, unknown>;
    if (typeof type !== 'string') throw new AbiError(here, 'expected a type');
    return {
      name: typeof name === 'string' ? name : '',
      type: typeOf(type, components, here, depth, count),
    };
  });
}

function typeOf(text: string, components: unknown, path: string, depth: number, count: Count): AbiType {
  if (depth === 0) throw new AbiError(path, `nested deeper than ${ABI_DEPTH_MAX}`);
  const array = ARRAY.exec(text);
  if (array !== null) {
    const [, item = '', digits = ''] = array;
    const length = digits === '' ? undefined : Number(digits);
    return { kind: 'array', item: typeOf(item, components, path, depth - 1, count), length };
  }
  if (text === 'tuple') return { kind: 'tuple', members: parametersOf(components, path, depth - 1, count) };
  if (text.startsWith('(') && text.endsWith(')')) {
    const described = splitMembers(text.slice(1, -1)).map((type) => ({ type }));
    return { kind: 'tuple', members: parametersOf(described, path, depth - 1, count) };
  }
  const type = elementaryType(text);
  if (type === undefined) {
    throw new AbiError(path, `unknown type ${JSON.stringify(text.slice(0, SHOWN_TYPE_CHARACTERS_MAX))}`);
  }
  return type;
}

/** Splits a text at the commas outside of parentheses. */
export function splitMembers(text: string): string[] {
  if (text === '') return [];
  const members = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) members.push('');
    else members[members.length - 1] += character;
  }
  return members;
}
