import { isIP } from 'node:net';
import { AMOUNT_MAX, BASE_FEE_MAX, BLOCK_NUMBER_MAX } from '../consensus.ts';
import {
  BLOCK_LOG_ADDRESS_FORM,
  type BlockLogAddress,
  endpointName,
  type ForkSource,
  type MaxLag,
  parseBlockLogAddress,
} from '../node/index.ts';
import {
  type Address,
  checksumAddress,
  decimalText,
  FormatError,
  hexToBytes,
  type PublicKey,
  parsePublicKey,
  toAddress,
} from '../protocol/index.ts';
import { isOriginPattern } from '../server/index.ts';
import { UsageError } from './command-errors.ts';

/** Characters of the seed of the test accounts. */
const SEED_CHARACTERS_MAX = 1_024;
/** Characters of a path on the command line: the limit of Linux. */
const PATH_CHARACTERS_MAX = 4_096;
/** Greatest value of `--max-lag`, in seconds: a day; in blocks it is the greatest block number. */
const LAG_SECONDS_FLAG_MAX = 24 * 60 * 60;

/** Characters of the largest amount with underscores between all digits. */
const AMOUNT_CHARACTERS = 2 * AMOUNT_MAX.toString().length - 1;

/** Characters of a value that an error message shows. */
const SHOWN_CHARACTERS = 40;

/** A host name of letters, digits, `-` and `.`, without an empty label. */
const HOST_NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

/** The type of a value on the command line: its text form and its parser. */
export interface ValueType<T> {
  /** The expected form in error messages, such as `a whole number from 0 to 65535`. */
  readonly expected: string;
  /** The name of the value in the help of a setting, such as `number`. */
  readonly argument?: string;
  /** True if a JSON file may contain it as a number. */
  readonly isNumeric?: boolean;
  /** True for a path: in a settings file it is relative to the folder of that file. */
  readonly isPath?: boolean;
  /** True if it may contain credentials: messages do not repeat it. */
  readonly isSecret?: boolean;
  /** All valid texts of an enumeration. */
  readonly words?: readonly string[];
  /** Parses a text; undefined for an invalid one. */
  read(text: string): T | undefined;
  /** Returns the JSON value for a settings file; absent if that is the value itself. */
  show?(value: T): unknown;
  /** Returns the text of a default in the help; absent if that is the JSON value. */
  text?(value: T): string;
}

/** Returns the parser of a flag, such as `--port`, which throws UsageError for an invalid text. */
export function flagParser<T>(flag: string, type: ValueType<T>): (text: string) => T {
  return (text) => {
    const value = type.read(text);
    if (value !== undefined) return value;
    throw new UsageError(`${flag}: expected ${type.expected}, got ${shown(text)}`);
  };
}

/** A whole number in a range: decimal digits without sign, point or spaces. */
export function wholeNumber(least: number, most: number): ValueType<number> {
  return {
    expected: `a whole number from ${least} to ${most}`,
    argument: 'number',
    isNumeric: true,
    read: (text) => (/^\d{1,16}$/.test(text) ? inRange(Number(text), least, most) : undefined),
  };
}

/** A number of seconds with at most three decimals, in a range. */
export function decimalSeconds(least: number, most: number): ValueType<number> {
  return {
    expected: `seconds from ${least} to ${most} with at most three decimals`,
    argument: 'seconds',
    isNumeric: true,
    read: (text) => (/^\d{1,9}(\.\d{1,3})?$/.test(text) ? inRange(Number(text), least, most) : undefined),
  };
}

/** Returns a number in a range; undefined for another one, and for NaN. */
function inRange(value: number, least: number, most: number): number | undefined {
  return value >= least && value <= most ? value : undefined;
}

/** Converts the values of a numeric type. */
function converted<From, To>(
  { expected, read }: ValueType<From>,
  argument: string,
  convert: (value: From) => To,
  show: (value: To) => unknown,
): ValueType<To> {
  const readConverted = (text: string): To | undefined => {
    const value = read(text);
    return value === undefined ? undefined : convert(value);
  };
  return { expected, argument, isNumeric: true, read: readConverted, show };
}

/** A flag in seconds with a value in milliseconds. */
export function inMilliseconds(seconds: ValueType<number>): ValueType<number> {
  // Three decimals are exact in milliseconds, and their product is not.
  const toMilliseconds = (value: number): number => Math.round(value * 1_000);
  return converted(seconds, 'seconds', toMilliseconds, (milliseconds) => milliseconds / 1_000);
}

/** Units of gas, in a range: a whole number. */
export function gasUnits(least: number, most: number): ValueType<bigint> {
  return converted(wholeNumber(least, most), 'gas', BigInt, Number);
}

/** A lag: a number of blocks, or of seconds with the suffix `s`. */
export const headLag: ValueType<MaxLag> = {
  expected: `blocks from 0 to ${BLOCK_NUMBER_MAX}, or seconds from 0s to ${LAG_SECONDS_FLAG_MAX}s`,
  isNumeric: true,
  read: (text) => {
    const [, digits, unit] = /^(\d{1,10})(s?)$/.exec(text) ?? [];
    if (digits === undefined) return undefined;
    const most = Number(digits);
    if (unit === 's') return most <= LAG_SECONDS_FLAG_MAX ? { unit: 'seconds', most } : undefined;
    return most <= BLOCK_NUMBER_MAX ? { unit: 'blocks', most } : undefined;
  },
  show: ({ unit, most }) => (unit === 'blocks' ? most : `${most}s`),
};

/** Bytes of each unit (IEC 80000-13). */
const BYTE_UNITS = new Map([
  ['', 1],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
]);

/** A number of bytes in a range: decimal digits, and optionally a unit: KiB, MiB, GiB or TiB. */
export function byteCount(least: number, most: number): ValueType<number> {
  return {
    expected: `bytes from ${least} to ${most}, such as ${least > 0 ? least : 1} or 1MiB`,
    argument: 'bytes',
    isNumeric: true,
    read: (text) => {
      const [, digits, unit = ''] = /^(\d{1,16})([A-Za-z]*)$/.exec(text) ?? [];
      return inRange(Number(digits) * (BYTE_UNITS.get(unit) ?? Number.NaN), least, most);
    },
    text: byteText,
  };
}

/** Formats a number of bytes in the largest unit without a fraction: `5MiB`. */
function byteText(bytes: number): string {
  const [unit, size] = [...BYTE_UNITS].findLast(([, of]) => bytes > 0 && bytes % of === 0) ?? ['', 1];
  return `${bytes / size}${unit}`;
}

/** Formats a number of bytes with one decimal: `5.2 MiB`. */
export function roundByteText(bytes: number): string {
  const [unit, size] = [...BYTE_UNITS].findLast(([, of]) => bytes >= of) ?? ['', 1];
  return size === 1 ? `${bytes} bytes` : `${(bytes / size).toFixed(1)} ${unit}`;
}

/** A native amount: decimal digits, underscores allowed between them, from 0 to the largest int64. */
export const nativeUnits: ValueType<bigint> = {
  expected: `native units from 0 to ${AMOUNT_MAX}`,
  isNumeric: true,
  read: (text) => {
    const isWellFormed = text.length <= AMOUNT_CHARACTERS && /^\d+(_\d+)*$/.test(text);
    const value = isWellFormed ? BigInt(text.replaceAll('_', '')) : undefined;
    return value !== undefined && value <= AMOUNT_MAX ? value : undefined;
  },
  // JSON numbers do not represent all of them exactly.
  show: String,
};

export const weiAmount: ValueType<bigint> = {
  expected: `wei from 0 to ${BASE_FEE_MAX}`,
  isNumeric: true,
  read: (text) => {
    const value = /^\d{1,39}$/.test(text) ? BigInt(text) : undefined;
    return value !== undefined && value <= BASE_FEE_MAX ? value : undefined;
  },
  // JSON numbers do not represent all of them exactly.
  show: String,
};

/** Decimals of ether in native units: a unit is 10 gwei. */
const ETHER_UNIT_DIGITS = 8;

/** Formats native units of a chain with Ethereum as ether. */
export function etherText(units: bigint): string {
  return `${decimalText(units, ETHER_UNIT_DIGITS)} ether`;
}

/** An amount of ether such as `1.5`, in native units. */
export const etherUnits: ValueType<bigint> = {
  expected: `ether with at most ${ETHER_UNIT_DIGITS} decimals`,
  read: (text) => {
    const [, whole, fraction = ''] = /^(\d{1,11})(?:\.(\d{1,8}))?$/.exec(text) ?? [];
    if (whole === undefined) return undefined;
    const units = BigInt(whole + fraction.padEnd(ETHER_UNIT_DIGITS, '0'));
    return units <= AMOUNT_MAX ? units : undefined;
  },
  show: (units) => decimalText(units, ETHER_UNIT_DIGITS),
};

/** An Ethereum address; mixed case must be its checksum (ERC-55). */
export const ethereumAddress: ValueType<Address> = {
  expected: 'an address: 0x and 40 hexadecimal digits, all small or with the capitals of its checksum',
  read: (text) => {
    if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
    const digits = text.slice(2);
    const address = toAddress(hexToBytes(digits.toLowerCase()));
    const isUncased = digits === digits.toLowerCase() || digits === digits.toUpperCase();
    return isUncased || checksumAddress(address) === text ? address : undefined;
  },
};

export function oneOf<Name extends string>(names: readonly Name[]): ValueType<Name> {
  return {
    expected: names.length === 1 ? String(names[0]) : `one of ${names.join(', ')}`,
    argument: 'name',
    words: names,
    read: (text) => names.find((candidate) => candidate === text),
  };
}

/** A host name or an IP address, IPv6 with or without brackets; parsed without. */
export const hostName: ValueType<string> = {
  expected: 'a host name or IP address without scheme and port',
  argument: 'host',
  read: (text) => {
    const host = text.replace(/^\[(.*)\]$/, '$1');
    const isAddress = isIP(host) !== 0 && (host === text || isIP(host) === 6);
    return isAddress || (host === text && HOST_NAME.test(host)) ? host.toLowerCase() : undefined;
  },
};

/** A web origin (scheme, host, and a port other than the default), or a pattern of origins. */
export const webOrigin: ValueType<string> = {
  expected:
    'an origin such as http://localhost:3000, one with * for labels before a host (https://*.example.org), ' +
    'for a host or for a port, or * for every origin, also that of files ("null")',
  argument: 'origin',
  read: (text) => (isOriginPattern(text.toLowerCase()) ? text.toLowerCase() : undefined),
};

/** The URL of a node: HTTP or HTTPS, without credentials, since logs contain it. */
export const nodeUrl: ValueType<URL> = {
  expected: 'a URL such as http://127.0.0.1:8545',
  argument: 'url',
  read: (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isNode = url?.protocol === 'http:' || url?.protocol === 'https:';
    return isNode && url.username === '' && url.password === '' ? url : undefined;
  },
};

/** The source of a fork: a remote node with a block, or the file of a pack. */
export const forkSource: ValueType<ForkSource> = {
  expected: 'the URL of an Ethereum node, with @ and a block number or without, or the file of a pack',
  argument: 'source',
  isSecret: true,
  read: (text) => {
    const [, url = text, digits] = /^(.*)@(\d{1,10})$/s.exec(text) ?? [];
    const block = digits === undefined ? undefined : Number(digits);
    const isUrl = /^https?:/i.test(url);
    if (isUrl) return URL.canParse(url) ? { kind: 'remote', url, block } : undefined;
    return text.length > 0 && text.length <= PATH_CHARACTERS_MAX ? { kind: 'pack', file: text } : undefined;
  },
  show: (source) => (source.kind === 'pack' ? source.file : endpointName(source.url)),
};

/** A header of HTTP requests; messages omit it. */
export const headerText: ValueType<string> = {
  expected: 'a header as "Name: value"',
  argument: 'header',
  isSecret: true,
  read: (text) => (/^[^\s:]+:\s*\S/.test(text) ? text : undefined),
  show: (text) => text.replace(/:.*$/s, ': …'),
};

/** The hash of a transaction. */
export const transactionHash: ValueType<string> = {
  expected: 'a hash: 0x and 64 hexadecimal digits',
  argument: 'hash',
  read: (text) => (/^0x[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : undefined),
};

/** The servers of a block log; messages omit the credentials. */
export const logAddress: ValueType<BlockLogAddress> = {
  expected: BLOCK_LOG_ADDRESS_FORM,
  read: parseBlockLogAddress,
  show: ({ url }) => url,
};

/** A public key in its native form. */
export const publicKey: ValueType<PublicKey> = {
  expected: 'a public key: ECHO and 32 bytes in base58',
  read: (text) => {
    try {
      return parsePublicKey(text);
    } catch (error) {
      if (error instanceof FormatError) return undefined;
      throw error;
    }
  },
};

/** A text that is not empty, up to a length. */
export function someText(most = SEED_CHARACTERS_MAX): ValueType<string> {
  return {
    expected: `a text of 1 to ${most} characters`,
    read: (text) => (text.length > 0 && text.length <= most ? text : undefined),
  };
}

/** A path, at most as long as Linux allows. */
export const path: ValueType<string> = { ...someText(PATH_CHARACTERS_MAX), isPath: true };
export const file: ValueType<string> = { ...path, argument: 'file' };
export const folder: ValueType<string> = { ...path, argument: 'folder' };

/** The credentials of a URL. */
const CREDENTIALS = /(?<=:\/\/)[^/]*(?=@)/g;

/** Formats a value for a message: as JSON, without the credentials of a URL, and truncated. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    const text = value.replace(CREDENTIALS, '***');
    return text.length > SHOWN_CHARACTERS
      ? `${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}…`
      : JSON.stringify(text);
  }
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
