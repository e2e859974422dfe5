import {
  BASE_FEE_MAX,
  BLOCK_NUMBER_MAX,
  CLOCK_TIME_MAX,
  ETHEREUM_NONCE_MAX,
  UINT64_MAX,
} from '../../consensus.ts';
import { CODE_SET_BYTES_MAX, WORD_MAX } from '../../limits.ts';
import {
  bytesToHex,
  type Hash,
  hexToBytes,
  messageOf,
  numberToBytes,
  sha256,
  toAddress,
  toHash,
  utf8ToBytes,
} from '../../protocol/index.ts';
import { InvalidDumpError } from '../../rpc/index.ts';
import { ARCHIVE_MEMBER, type DumpedAccount, type DumpedBlock, type StateDump } from './state-dump.ts';

type Members = Readonly<Record<string, unknown>>;

const WORD_BYTES = 32;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const DATA = /^0x(?:[0-9a-fA-F]{2})*$/;
/** A number as hexadecimal digits with leading zeros or without, or as decimal digits. */
const NUMBER = /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/;
/** Characters of a wrong value in a message: an address in quotes fits. */
const SHOWN_CHARACTERS = 66;

/**
 * Reads a state dump of anvil: the JSON of `--dump-state`, or that of `anvil_dumpState` decompressed.
 * @throws InvalidDumpError that names the wrong member
 */
export function readStateDump(text: string): StateDump {
  const dump = membersOf(parsed(text), 'the dump');
  const accounts = membersOf(dump.accounts, 'accounts');
  let entries = 0;
  for (const [address, account] of Object.entries(accounts)) {
    const { storage } = membersOf(account, pathOf('accounts', address));
    entries += 1 + (storage == null ? 0 : Object.keys(membersOf(storage, storagePath(address))).length);
  }
  return {
    block: blockOf(dump),
    entries,
    accounts: function* () {
      for (const [address, account] of Object.entries(accounts)) yield accountOf(address, account);
    },
    archive: archiveOf(dump, accounts),
  };
}

/** Returns the digest of the accounts of a dump, by which its archive is bound to them. */
export function accountsDigest(accountsText: string): string {
  return bytesToHex(sha256(utf8ToBytes(accountsText)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidDumpError(`the dump is not JSON: ${messageOf(cause)}`, { cause });
  }
}

function archiveOf(dump: Members, accounts: Members): Uint8Array | undefined {
  const member = dump[ARCHIVE_MEMBER];
  if (member == null) return undefined;
  const { archive, accounts: digest } = membersOf(member, ARCHIVE_MEMBER);
  if (typeof archive !== 'string') throw wrong(`${ARCHIVE_MEMBER}.archive`, 'a text in base64', archive);
  // Changed accounts are what the user wants to load.
  return digest === accountsDigest(JSON.stringify(accounts)) ? Buffer.from(archive, 'base64') : undefined;
}

/** Reads the block of the dump: its environment, and the header of the same number for what that lacks. */
function blockOf(dump: Members): DumpedBlock {
  const block = dump.block == null ? {} : membersOf(dump.block, 'block');
  const number = optionalNumber(block.number, 'block.number', BLOCK_NUMBER_MAX) ?? 0n;
  const best = optionalNumber(dump.best_block_number, 'best_block_number', BLOCK_NUMBER_MAX) ?? number;
  const header = headerOf(dump.blocks, best);
  const blobs = block.blob_excess_gas_and_price;
  const { excess_blob_gas: excess } =
    blobs == null ? {} : membersOf(blobs, 'block.blob_excess_gas_and_price');
  const rand = block.prevrandao ?? header?.mixHash;
  const timestamp =
    optionalNumber(block.timestamp, 'block.timestamp', CLOCK_TIME_MAX) ??
    optionalNumber(header?.timestamp, 'timestamp of the newest block', CLOCK_TIME_MAX);
  return {
    number: Number(best),
    timestamp: timestamp === undefined ? undefined : Number(timestamp),
    gasLimit: optionalNumber(block.gas_limit ?? header?.gasLimit, 'block.gas_limit', WORD_MAX),
    gasUsed: optionalNumber(header?.gasUsed, 'gasUsed of the newest block', UINT64_MAX),
    baseFee: optionalNumber(block.basefee ?? header?.baseFeePerGas, 'block.basefee', BASE_FEE_MAX),
    rand: rand == null ? undefined : wordOf(rand, 'block.prevrandao'),
    excessBlobGas:
      optionalNumber(excess, 'block.blob_excess_gas_and_price.excess_blob_gas', UINT64_MAX) ?? 0n,
  };
}

/** Returns the header of a number among the blocks of a dump; undefined for none. */
function headerOf(blocks: unknown, number: bigint): Members | undefined {
  if (blocks == null) return undefined;
  if (!Array.isArray(blocks)) throw wrong('blocks', 'a list', blocks);
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const path = `blocks[${index}]`;
    const header = membersOf(membersOf(blocks[index], path).header, `${path}.header`);
    if (numberOf(header.number, `${path}.header.number`, UINT64_MAX) === number) return header;
  }
  return undefined;
}

function accountOf(name: string, value: unknown): DumpedAccount {
  const path = pathOf('accounts', name);
  if (!ADDRESS.test(name)) throw wrong(`a name in accounts`, '0x and 40 hexadecimal digits', name);
  const { balance, nonce, code, storage } = membersOf(value, path);
  return {
    path,
    address: toAddress(hexToBytes(name.slice(2))),
    balance: numberOf(balance, `${path}.balance`, WORD_MAX),
    nonce: optionalNumber(nonce, `${path}.nonce`, ETHEREUM_NONCE_MAX) ?? 0n,
    code: codeOf(code, `${path}.code`),
    storage: storageOf(name, storage),
  };
}

function storageOf(name: string, storage: unknown): DumpedAccount['storage'] {
  if (storage == null) return [];
  const path = storagePath(name);
  return Object.entries(membersOf(storage, path)).map(([slot, value]) => ({
    slot: wordOf(slot, `a name in ${path}`),
    value: wordOf(value, pathOf(path, slot)),
  }));
}

function codeOf(value: unknown, path: string): Uint8Array {
  if (value == null) return new Uint8Array();
  if (typeof value !== 'string' || !DATA.test(value))
    throw wrong(path, '0x and pairs of hexadecimal digits', value);
  const code = hexToBytes(value.slice(2));
  if (code.length <= CODE_SET_BYTES_MAX) return code;
  throw new InvalidDumpError(
    `${path}: expected at most ${CODE_SET_BYTES_MAX} bytes of code, got ${code.length}`,
  );
}

function wordOf(value: unknown, path: string): Hash {
  return toHash(numberToBytes(numberOf(value, path, WORD_MAX), WORD_BYTES));
}

function optionalNumber(value: unknown, path: string, most: bigint | number): bigint | undefined {
  return value == null ? undefined : numberOf(value, path, most);
}

function numberOf(value: unknown, path: string, most: bigint | number): bigint {
  const isText = typeof value === 'string' && NUMBER.test(value);
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  const number = isText || isNumber ? BigInt(value) : undefined;
  if (number !== undefined && number <= BigInt(most)) return number;
  throw wrong(path, `a number from 0 to ${most}`, value);
}

function membersOf(value: unknown, path: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw wrong(path, 'an object', value);
}

const pathOf = (path: string, name: string): string => `${path}[${shown(name)}]`;
const storagePath = (address: string): string => `${pathOf('accounts', address)}.storage`;

function wrong(path: string, expected: string, value: unknown): InvalidDumpError {
  return new InvalidDumpError(`${path}: expected ${expected}, got ${shown(value)}`);
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
