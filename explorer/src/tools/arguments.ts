import {
  AbiError,
  type AbiParameter,
  concat,
  encodeParameters,
  fromHex,
  parseValue,
  showName,
  toHex,
  typeName,
} from '../abi/index.ts';
import type { Hex } from '../client/reading.ts';
import { type Field, FieldError, type Values } from './action-form.tsx';

/** Returns the fields for the arguments of a function or of a constructor. */
export function argumentFields(inputs: readonly AbiParameter[]): readonly Field[] {
  return inputs.map(({ name, type }, index) => ({
    name: `input${index}`,
    label: name === '' ? `[${index}]` : showName(name),
    hint: showName(typeName(type)),
    input:
      type.kind === 'bool'
        ? { kind: 'choice', choices: ['false', 'true'].map((value) => ({ value, label: value })) }
        : { kind: type.kind === 'array' || type.kind === 'tuple' ? 'lines' : 'line' },
  }));
}

/**
 * Appends the values of such fields to a selector, or to the code of a creation.
 * @throws FieldError for the first value that is none of its type
 */
export function encodeArguments(prefix: string, inputs: readonly AbiParameter[], values: Values): Hex {
  const read = inputs.map(({ name, type }, index) => {
    const field = `input${index}`;
    try {
      return parseValue(type, values[field] ?? '', name === '' ? `[${index}]` : showName(name));
    } catch (error) {
      if (error instanceof AbiError) throw new FieldError(field, error.message);
      throw error;
    }
  });
  const data = toHex(concat([fromHex(prefix) ?? new Uint8Array(), encodeParameters(inputs, read)]));
  // What `toHex` gives has the form of the type.
  return data as Hex;
}
