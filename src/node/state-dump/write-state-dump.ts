import { logsBloom, toEthereumHeader } from '../../formatters/index.ts';
import { accountStateOf, type BlockSummary, type Ledger } from '../../ledger/index.ts';
import { bytesToHex, toPrefixedHex } from '../../protocol/index.ts';
import { type StoreReader, stateKey } from '../../store/index.ts';
import { accountsDigest } from './read-state-dump.ts';
import { ARCHIVE_MEMBER } from './state-dump.ts';

const WORD_BYTES = 32;
/** Characters of an account's object besides its members and slots, at least. */
const ACCOUNT_CHARACTERS = 18;
const NO_ACCOUNT = '"nonce":0,"balance":"0x0","code":"0x"';
const NO_BLOOM = logsBloom([]);

/**
 * Returns the members of a state dump that describe the newest block, in anvil's format. The dump has no other block
 * and no transaction.
 * @param gasUsed of all operations of the block
 */
export function describeHead(ledger: Ledger, block: BlockSummary, gasUsed: bigint) {
  const { rules } = ledger.parameters;
  const settings = ledger.prices.settings(block);
  const prices = ledger.prices.of(block);
  const header = toEthereumHeader(block, { gasUsed, logsBloom: NO_BLOOM, ...prices, ...settings }, rules);
  return {
    block: {
      number: header.number,
      beneficiary: toPrefixedHex(settings.coinbase),
      timestamp: header.timestamp,
      gas_limit: Number(settings.gasLimit),
      basefee: Number(prices.baseFee),
      difficulty: header.difficulty,
      prevrandao: header.mixHash,
      blob_excess_gas_and_price: {
        excess_blob_gas: Number(prices.excessBlobGas),
        blob_gasprice: Number(ledger.prices.ofBlobGas(block)),
      },
      slot_num: 0,
    },
    best_block_number: block.number,
    blocks: [{ header, transactions: [], ommers: [], withdrawals: null }],
    transactions: [],
    historical_states: null,
  };
}

/**
 * Writes the accounts of a state as the JSON object of a state dump, in steps.
 * @param weiPerUnit wei in a stored unit of a balance
 * @param onLength called with the number of characters so far; its exceptions are thrown
 */
export function* writeAccounts(
  store: StoreReader,
  weiPerUnit: bigint,
  onLength: (characters: number) => void,
): Generator<void, string> {
  const accounts = new Map<string, { readonly members: string; readonly slots: string[] }>();
  const membersOf = (record: Uint8Array): string => {
    const { balance, nonce, codeHash } = accountStateOf(record, weiPerUnit);
    const code = codeHash && store.state(stateKey.code(codeHash));
    const data = toPrefixedHex(code ?? new Uint8Array());
    return `"nonce":${nonce},"balance":"0x${balance.toString(16)}","code":"${data}"`;
  };
  let length = 0;
  for (const { key, value } of store.stateEntries()) {
    const address = stateKey.addressIn(key);
    // The entries of accounts come first, then those of storage.
    if (address === undefined) break;
    const name = toPrefixedHex(address);
    const slot = stateKey.slotIn(key);
    let account = accounts.get(name);
    if (account === undefined) {
      account = { members: slot === undefined ? membersOf(value) : NO_ACCOUNT, slots: [] };
      accounts.set(name, account);
      length += name.length + account.members.length + ACCOUNT_CHARACTERS;
    }
    if (slot !== undefined) {
      const word = `"${toPrefixedHex(slot)}":"0x${bytesToHex(value).padStart(2 * WORD_BYTES, '0')}"`;
      account.slots.push(word);
      length += word.length + 1;
    }
    onLength(length);
    yield;
  }
  const texts = Array.from(accounts, ([name, { members, slots }]) => {
    return `"${name}":{${members},"storage":{${slots.join(',')}}}`;
  });
  return `{${texts.join(',')}}`;
}

/** Puts a state dump together. @param archive of the whole chain, for this program; undefined: none */
export function joinStateDump(
  head: ReturnType<typeof describeHead>,
  accounts: string,
  archive: Uint8Array | undefined,
): string {
  const member = archive && {
    [ARCHIVE_MEMBER]: {
      accounts: accountsDigest(accounts),
      archive: Buffer.from(archive).toString('base64'),
    },
  };
  return `${JSON.stringify({ ...head, ...member }).slice(0, -1)},"accounts":${accounts}}`;
}
