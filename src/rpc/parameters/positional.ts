import { InvalidParametersError } from '../errors.ts';
import type { Place, ReadBy, Schema } from './schema.ts';

/** One positional parameter; its name is what messages and the description of the interface call it. */
export interface Parameter<T> {
  readonly name: string;
  readonly schema: Schema<T>;
  /** What it is for, where name and schema do not say all. */
  readonly summary?: string;
}

/** The types of what is read of the parameters of a method. */
export type ArgumentsOf<P extends readonly Parameter<unknown>[]> = {
  readonly [I in keyof P]: ReadBy<P[I]['schema']>;
};

const NO_PARAMETERS: readonly unknown[] = [];

/**
 * Prepares reading the parameters of a method: they are positional. A method without any ignores what it is given.
 *
 * @returns reads what a call of the method, by one of its names, has in `params`; throws InvalidParametersError
 */
export function parametersReader<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
): (given: unknown, method: string) => ArgumentsOf<P> {
  const slots = parameters.map(({ name, schema: { isOptional, read } }, index) => {
    const place: Place = { within: undefined, key: `parameter ${index + 1} (${name})` };
    return { read, place, isOptional: isOptional === true };
  });
  return (given, method) => {
    const values = given ?? NO_PARAMETERS;
    if (!Array.isArray(values)) {
      throw new InvalidParametersError(
        'invalid parameters: expected an array, parameters by name are not supported',
      );
    }
    if (slots.length > 0 && values.length > slots.length) {
      throw new InvalidParametersError(
        `too many parameters: ${method} takes at most ${slots.length}, got ${values.length}`,
      );
    }
    const all: unknown[] = [];
    for (const { read, place, isOptional } of slots) {
      const index = all.length;
      if (index >= values.length && !isOptional) {
        throw new InvalidParametersError(`missing ${place.key}`);
      }
      all.push(read(values[index], place));
    }
    // The values come from the schemas of these parameters, one each and in their order.
    return all as unknown as ArgumentsOf<P>;
  };
}
