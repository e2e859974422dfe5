import { InvalidParametersError } from '../errors.ts';
import type { Place, ReadBy, Schema } from './schema.ts';

/** A positional parameter, with its name in messages and in the description of the interface. */
export interface Parameter<T> {
  readonly name: string;
  readonly schema: Schema<T>;
  /** Its purpose, where name and schema do not state it. */
  readonly summary?: string;
}

/** The types of the arguments of a handler. */
export type ArgumentsOf<P extends readonly Parameter<unknown>[]> = {
  readonly [I in keyof P]: ReadBy<P[I]['schema']>;
};

const NO_PARAMETERS: readonly unknown[] = [];

/**
 * The style of errors about parameters: the ledger's own, which counts from 1 and refuses surplus ones, or geth's,
 * which counts from 0 and ignores those.
 */
export type ErrorStyle = 'ledger' | 'geth';

type Slot = ReturnType<typeof ledgerSlot>;

function ledgerSlot({ name, schema: { isOptional = false, read } }: Parameter<unknown>, index: number) {
  const place: Place = { within: undefined, key: `parameter ${index + 1} (${name})` };
  return { read, place, missing: `missing parameter ${index + 1} (${name})`, isOptional };
}

function gethSlot(parameter: Parameter<unknown>, index: number): Slot {
  const key = `argument ${index} (${parameter.name})`;
  const missing = `missing value for required ${key}`;
  return { ...ledgerSlot(parameter, index), place: { within: undefined, key }, missing };
}

/**
 * Prepares reading the parameters of a method: they are positional. A method without any ignores what it is given.
 *
 * @returns reads what a call of the method, by one of its names, has in `params`; throws InvalidParametersError
 */
export function parametersReader<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
): (given: unknown, method: string, style: ErrorStyle) => ArgumentsOf<P> {
  const slotsByStyle: Readonly<Record<ErrorStyle, readonly Slot[]>> = {
    ledger: parameters.map(ledgerSlot),
    geth: parameters.map(gethSlot),
  };
  return (given, method, style) => {
    const slots = slotsByStyle[style];
    const values = given ?? NO_PARAMETERS;
    if (!Array.isArray(values)) {
      throw new InvalidParametersError(
        'invalid parameters: expected an array, parameters by name are not supported',
      );
    }
    if (values.length > slots.length && slots.length > 0 && style === 'ledger') {
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
