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

/** How parameters are named in messages, and what becomes of more of them than a method takes. */
export interface ParameterManner {
  /** What messages call the parameter at an index. */
  nameOf(index: number, name: string): string;
  /** Says that it is missing. */
  missing(index: number, name: string): string;
  readonly surplus: 'refused' | 'ignored';
}

/** The manner of the ledger's own interface. */
export const LEDGER_MANNER: ParameterManner = {
  nameOf: (index, name) => `parameter ${index + 1} (${name})`,
  missing: (index, name) => `missing parameter ${index + 1} (${name})`,
  surplus: 'refused',
};

/** The manner of Ethereum's nodes: in geth's words and its count from 0, and surplus parameters do no harm. */
export const ETHEREUM_MANNER: ParameterManner = {
  nameOf: (index, name) => `argument ${index} (${name})`,
  missing: (index, name) => `missing value for required argument ${index} (${name})`,
  surplus: 'ignored',
};

/**
 * Prepares reading the parameters of a method: they are positional. A method without any ignores what it is given.
 *
 * @returns reads what a call of the method, by one of its names, has in `params`; throws InvalidParametersError
 */
export function parametersReader<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
  manner: ParameterManner = LEDGER_MANNER,
): (given: unknown, method: string) => ArgumentsOf<P> {
  const slots = parameters.map(({ name, schema: { isOptional, read } }, index) => {
    const place: Place = { within: undefined, key: manner.nameOf(index, name) };
    return { read, place, missing: manner.missing(index, name), isOptional: isOptional === true };
  });
  return (given, method) => {
    const values = given ?? NO_PARAMETERS;
    if (!Array.isArray(values)) {
      throw new InvalidParametersError(
        'invalid parameters: expected an array, parameters by name are not supported',
      );
    }
    if (values.length > slots.length && slots.length > 0 && manner.surplus === 'refused') {
      throw new InvalidParametersError(
        `too many parameters: ${method} takes at most ${slots.length}, got ${values.length}`,
      );
    }
    const all: unknown[] = [];
    for (const { read, place, missing, isOptional } of slots) {
      const index = all.length;
      if (index >= values.length && !isOptional) throw new InvalidParametersError(missing);
      all.push(read(values[index], place));
    }
    // The values come from the schemas of these parameters, one each and in their order.
    return all as unknown as ArgumentsOf<P>;
  };
}
