import {
  checksumAddress,
  FormatError,
  fromJson,
  hexToBytes,
  isTestOperation,
  isVirtual,
  OPERATIONS,
  operationCodec,
  type PaidOperation,
  type Operation as ProtocolOperation,
  snakeCase,
  toAddress,
} from '../protocol/index.ts';
import type { Operation, OperationJson } from './operations.ts';

const CORE_ASSET = '1.3.0';
const NO_FEATURES = { extensions: [] };

type OperationObject = Exclude<Operation, OperationJson>;

/** Defaults of the optional fields of each operation that an account pays for. */
const DEFAULTS: Readonly<Record<PaidOperation, object>> = {
  transfer: NO_FEATURES,
  accountCreate: {},
  accountUpdate: {},
  contractCreate: { value: 0, ethAccuracy: false, ...NO_FEATURES },
  contractCall: { value: 0, ...NO_FEATURES },
  evmAddressRegister: NO_FEATURES,
  transferToAddress: NO_FEATURES,
} satisfies Record<OperationObject['type'], object>;

/** Fields that hold an amount, digits, or a structure with separate extensions. */
const AMOUNTS = new Set(['fee', 'value', 'amount']);
const DIGITS = new Set(['code', 'evmAddress']);
const ADDRESS_DIGITS = /^[0-9a-f]{40}$/i;
const OPTIONS = new Set(['options', 'newOptions']);

/**
 * Converts an operation of the package's interface to one of the protocol.
 *
 * @param field its name in errors
 * @throws {FormatError} for an operation that the format cannot hold or that no client may send
 */
export function readOperation(input: Operation, field: string): ProtocolOperation {
  const operation = fromJson(operationCodec, isJson(input) ? input : jsonOf(input, field), field);
  if (isVirtual(operation) || isTestOperation(operation)) {
    throw new FormatError(field, `the ledger itself makes ${operation.type}, and takes none`);
  }
  return operation;
}

function isJson(input: Operation): input is OperationJson {
  return Array.isArray(input);
}

/** Returns the JSON form of an operation with a type. */
function jsonOf(input: OperationObject, field: string): OperationJson {
  // A JavaScript program may pass any value.
  if (!isStructure(input)) throw new FormatError(field, 'must be an object, or an array in the JSON form');
  const { type, ...fields } = input;
  if (!Object.hasOwn(DEFAULTS, type)) {
    throw new FormatError(`${field}.type`, `must be one of ${Object.keys(DEFAULTS).join(', ')}`);
  }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const entries = Object.entries({ ...DEFAULTS[type], ...Object.fromEntries(given) });
  return [
    OPERATIONS[type].number,
    Object.fromEntries(
      entries.map(([name, value]) => [snakeCase(name), formOf(name, value, `${field}.${name}`)]),
    ),
  ];
}

function formOf(name: string, value: unknown, field: string): unknown {
  if (AMOUNTS.has(name)) return amountOf(value);
  if (DIGITS.has(name) || isPrefixed(value))
    return typeof value === 'string' ? digitsOf(value, field) : value;
  if (!isStructure(value)) return value;
  return OPTIONS.has(name) ? { ...namesOf(value), ...NO_FEATURES } : namesOf(value);
}

/**
 * Returns hex digits as the format has them: without `0x`, in lower case.
 * @throws {FormatError} for an address of mixed case with a wrong checksum (ERC-55)
 */
function digitsOf(value: string, field: string): string {
  const digits = value.replace(/^0x/, '');
  const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits);
  if (isMixed && ADDRESS_DIGITS.test(digits)) {
    const checked = checksumAddress(toAddress(hexToBytes(digits.toLowerCase())));
    if (checked.slice(2) !== digits) throw new FormatError(field, 'is an address with a wrong checksum');
  }
  return digits.toLowerCase();
}

/** Returns true for hex digits with `0x`. No other text of an operation begins with it. */
function isPrefixed(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('0x');
}

function amountOf(value: unknown): unknown {
  if (!isStructure(value)) return { amount: unitsOf(value), asset_id: CORE_ASSET };
  return namesOf('amount' in value ? { ...value, amount: unitsOf(value.amount) } : value);
}

/** Returns units as JSON: the digits of a bigint. */
function unitsOf(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

function isStructure(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a structure with the names of the format. */
function namesOf(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [snakeCase(name), part]));
}
