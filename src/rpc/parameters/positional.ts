import { InvalidParametersError } from '../errors.ts';
import type { Place, ReadBy, Schema } from './schema.ts';

/** One positional parameter; its name is what messages and the description of the interface call it. */
export interface Parameter<T> {
  readonly name: string;
  readonly schema: Schema<T>;
  /** What it is for, where name and schema do not say all. */
  readonly summary?: string;
}

/** What is read of the parameters of a method. */
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
  const readers = parameters.map(parameterReader);
  return (given, method) => {
    const values = given ?? NO_PARAMETERS;
    if (!Array.isArray(values)) {
      throw new InvalidParametersError(
        'invalid parameters: expected an array, parameters by name are not supported',
      );
    }
    if (readers.length > 0 && values.length > readers.length) {
      throw new InvalidParametersError(
        `too many parameters: ${method} takes at most ${readers.length}, got ${values.length}`,
      );
    }
    const read: unknown[] = [];
    for (const reader of readers) read.push(reader(values));
    // The values come from the schemas of these parameters, one each and in their order.
    return read as unknown as ArgumentsOf<P>;
  };
}

function parameterReader(
  { name, schema }: Parameter<unknown>,
  index: number,
): (values: readonly unknown[]) => unknown {
  const key = `parameter ${index + 1} (${name})`;
  const place: Place = { within: undefined, key };
  return (values) => {
    if (index >= values.length && schema.isOptional !== true) {
      throw new InvalidParametersError(`missing ${key}`);
    }
    return schema.read(values[index], place);
  };
}
