import { parseInteger, readAddress } from '../abi/index.ts';
import type { Hex } from '../client/reading.ts';
import { FieldError, type Values } from './action-form.tsx';

/** Reads the address of a field: 20 bytes, `1.2.N` or `1.11.N`. @throws FieldError */
export function addressField(values: Values, name: string): Hex {
  const read = readAddress(values[name] ?? '');
  if ('problem' in read) throw new FieldError(name, read.problem);
  return read.address as Hex;
}

/** Reads a whole number of a field that is not negative. @throws FieldError */
export function integerField(values: Values, name: string): bigint {
  const value = parseInteger((values[name] ?? '').trim());
  if (value === undefined || value < 0n) throw new FieldError(name, 'expected a whole number');
  return value;
}

/** A number as the methods of the node take it. */
export function quantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
