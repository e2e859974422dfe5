import { createHash } from 'node:crypto';
import { BASE_FEE_MAX, BLOCK_NUMBER_MAX, CLOCK_TIME_MAX, UINT64_MAX } from '../../consensus.ts';
import { bytesToHex, sha256, utf8ToBytes, WORD_MAX } from '../../protocol/index.ts';
import {
  type AccountsInDump,
  accountsIn,
  type Members,
  membersOf,
  numberOf,
  optionalNumber,
  parsedDump,
  wordOf,
  wrong,
} from './dump-members.ts';
import { genesisDump } from './geth-genesis.ts';
import { ARCHIVE_MEMBER, type DumpedBlock, type StateDump } from './state-dump.ts';

/** Greatest number of the newest block: the chain has to go on. */
const NEWEST_NUMBER = BLOCK_NUMBER_MAX - 1;

/**
 * Reads a state dump of anvil in steps: the JSON of `--dump-state`, or that of `anvil_dumpState` decompressed; or a
 * genesis of geth.
 * @throws InvalidDumpError that names the wrong member
 */
export function* readStateDump(pieces: Iterable<string>): Generator<void, StateDump> {
  const { dump, accounts } = yield* parsedDump(pieces);
  if (dump.alloc !== undefined && dump.accounts === undefined)
    return yield* genesisDump(dump, accounts.alloc);
  membersOf(dump.accounts, 'accounts');
  return {
    block: blockOf(dump),
    ...(yield* accountsIn('accounts', accounts.accounts)),
    archive: yield* archiveOf(dump, accounts.accounts),
  };
}

/** Returns the digest of the accounts of a dump, by which its archive is bound to them. */
export function accountsDigest(accountsText: string): string {
  return bytesToHex(sha256(utf8ToBytes(accountsText)));
}

function* archiveOf(dump: Members, accounts: AccountsInDump): Generator<void, Uint8Array | undefined> {
  const member = dump[ARCHIVE_MEMBER];
  if (member == null) return undefined;
  const { archive, accounts: digest } = membersOf(member, ARCHIVE_MEMBER);
  if (typeof archive !== 'string') throw wrong(`${ARCHIVE_MEMBER}.archive`, 'a text in base64', archive);
  const hash = createHash('sha256').update('{');
  let separator = '';
  for (const [address, { members, slots }] of accounts) {
    const { storage, ...others } = members;
    hash.update(`${separator}${JSON.stringify(address)}:${JSON.stringify(others).slice(0, -1)}`);
    separator = ',';
    let before = ',"storage":{';
    for (const [slot, value] of slots) {
      hash.update(`${before}${JSON.stringify(slot)}:${JSON.stringify(value)}`);
      before = ',';
      yield;
    }
    if (storage !== undefined) hash.update(slots.size === 0 ? `${before}}` : '}');
    hash.update('}');
    yield;
  }
  // Changed accounts are what the user wants to load.
  return digest === hash.update('}').digest('hex') ? Buffer.from(archive, 'base64') : undefined;
}

/** Reads the block of the dump: its environment, and the header of the same number for what that lacks. */
function blockOf(dump: Members): DumpedBlock {
  const block = dump.block == null ? {} : membersOf(dump.block, 'block');
  const number = optionalNumber(block.number, 'block.number', NEWEST_NUMBER) ?? 0n;
  const best = optionalNumber(dump.best_block_number, 'best_block_number', NEWEST_NUMBER) ?? number;
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
