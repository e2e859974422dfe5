import { isIP } from 'node:net';
import { AMOUNT_MAX, BLOCK_NUMBER_MAX } from '../consensus.ts';
import { LAG_SECONDS_FLAG_MAX, PATH_CHARACTERS_MAX, SEED_CHARACTERS_MAX } from '../limits.ts';
import {
  BLOCK_LOG_ADDRESS_FORM,
  type BlockLogAddress,
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
import { UsageError } from './errors.ts';

/** Digits and underscores of the largest amount with an underscore between any two digits. */
const AMOUNT_CHARACTERS = 2 * AMOUNT_MAX.toString().length - 1;

/** Characters of a value that an error message shows. */
const SHOWN_CHARACTERS = 40;

/** A host name of letters, digits, `-` and `.`, without an empty label. */
const HOST_NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

/** Form and meaning of the text of a value. */
export interface ValueType<T> {
  /** The expected form in messages, such as `a whole number from 0 to 65535`. */
  readonly expected: string;
  /** Name of the value in the help of a setting, such as `number`. */
  readonly argument?: string;
  /** True if a number of a JSON file stands for its text. */
  readonly isNumeric?: boolean;
  /** True for a path, which is relative to the folder of the file that contains it. */
  readonly isPath?: boolean;
  /** All valid texts, if they are a few. */
  readonly words?: readonly string[];
  /** Parses a text; undefined for an invalid one. */
  read(text: string): T | undefined;
  /** Returns the value in the form of a file of settings; absent if that is the value itself. */
  show?(value: T): unknown;
}

/** Makes the parser of a flag, such as `--port`. It throws UsageError for an invalid text. */
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
    read: (text) => {
      const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
  };
}

/** A number of seconds with at most three decimals, in a range. */
export function decimalSeconds(least: number, most: number): ValueType<number> {
  return {
    expected: `seconds from ${least} to ${most} with at most three decimals`,
    argument: 'seconds',
    isNumeric: true,
    read: (text) => {
      const value = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
  };
}

/** Seconds of a flag as milliseconds. */
export function inMilliseconds(seconds: ValueType<number>): ValueType<number> {
  return {
    ...seconds,
    argument: 'seconds',
    read: (text) => {
      const value = seconds.read(text);
      // Three decimals are exact in milliseconds, and their product is not.
      return value === undefined ? undefined : Math.round(value * 1_000);
    },
    show: (milliseconds) => milliseconds / 1_000,
  };
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

/** Units of gas, in a range: a whole number. */
export function gasUnits(least: number, most: number): ValueType<bigint> {
  const number = wholeNumber(least, most);
  return {
    ...number,
    argument: 'gas',
    read: (text) => {
      const value = number.read(text);
      return value === undefined ? undefined : BigInt(value);
    },
    show: Number,
  };
}

/** Bytes of each unit (IEC 80000-13). */
const BYTE_UNITS = new Map([
  ['', 1],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
]);

/** A number of bytes in a range: decimal digits, and perhaps one of the units KiB, MiB, GiB and TiB. */
export function byteCount(least: number, most: number): ValueType<number> {
  return {
    expected: `bytes from ${least} to ${most}, such as ${least > 0 ? least : 1} or 1MiB`,
    argument: 'bytes',
    isNumeric: true,
    read: (text) => {
      const [, digits, unit = ''] = /^(\d{1,16})([A-Za-z]*)$/.exec(text) ?? [];
      const value = Number(digits) * (BYTE_UNITS.get(unit) ?? Number.NaN);
      return value >= least && value <= most ? value : undefined;
    },
  };
}

/** Writes a number of bytes in the largest unit that needs no fraction: `5MiB`. */
export function byteText(bytes: number): string {
  const [unit, size] = [...BYTE_UNITS].findLast(([, of]) => bytes > 0 && bytes % of === 0) ?? ['', 1];
  return `${bytes / size}${unit}`;
}

/** Writes a number of bytes with one decimal in the largest unit that it reaches: `5.2 MiB`. */
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

/** Decimals of ether in native units: a unit is 10 gwei. */
const ETHER_UNIT_DIGITS = 8;

/** Writes native units of a chain with Ethereum as ether. */
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
};

/** An address of Ethereum; mixed case must be its checksum (ERC-55). */
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

/** One of a few names. */
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

/** The origin of a web page: scheme, host and, unless it is the scheme's default, port; or a pattern of origins. */
export const webOrigin: ValueType<string> = {
  expected:
    'an origin such as http://localhost:3000, one with * for labels before a host (https://*.example.org), ' +
    'for a host or for a port, or * for every origin, also that of files ("null")',
  argument: 'origin',
  read: (text) => (isOriginPattern(text.toLowerCase()) ? text.toLowerCase() : undefined),
};

/** The URL of a node: HTTP or HTTPS, without credentials, which logs would show. */
export const nodeUrl: ValueType<URL> = {
  expected: 'a URL such as http://127.0.0.1:8545',
  argument: 'url',
  read: (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isNode = url?.protocol === 'http:' || url?.protocol === 'https:';
    return isNode && url.username === '' && url.password === '' ? url : undefined;
  },
};

/** The servers of a block log; shown without credentials. */
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

/** A text that is neither empty nor overlong. */
export function someText(most = SEED_CHARACTERS_MAX): ValueType<string> {
  return {
    expected: `a text of 1 to ${most} characters`,
    read: (text) => (text.length > 0 && text.length <= most ? text : undefined),
  };
}

/** A path: a text of no more characters than Linux takes. */
export const path: ValueType<string> = { ...someText(PATH_CHARACTERS_MAX), isPath: true };

/** The credentials of a URL. */
const CREDENTIALS = /(?<=:\/\/)[^/]*(?=@)/g;

/** Writes a value for a message: as JSON, without the credentials of a URL, and shortened where it is long. */
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
