import { shape, type ValueOf } from '../../formatters/index.ts';
import type { LedgerQueries } from '../../ledger/index.ts';
import {
  type Address,
  bytesToNumber,
  EMPTY_TRIE_ROOT,
  equalBytes,
  type Hash,
  type Hexadecimal,
  keccak256,
  quantity,
  toPrefixedHex,
  ZERO_HASH,
} from '../../protocol/index.ts';
import { listPieces } from '../blocks/block-operations.ts';
import { ERRORS } from '../description/described-errors.ts';
import { ofState } from '../fork/history-rules.ts';
import { writtenInPieces } from '../json/text-in-pieces.ts';
import { defineStateQuery } from '../method.ts';
import { isWord, shortSlotSchema } from '../parameters/plain.ts';
import { addressSchema, type Schema } from '../parameters/schema.ts';
import { arrayOf } from '../parameters/structures.ts';
import {
  codeHashAt,
  PAST_STORAGE_DIFFERENCES,
  readsHead,
  STATE_DIFFERENCES,
  STATE_PARAMETER,
  stateAt,
  storageRootAt,
} from '../profiles/ethereum-profile.ts';
import { RequestFailedError } from '../rpc-errors.ts';

/** Slots of one `eth_getProof`, as in geth, and of one that runs at once. */
export const PROOF_SLOTS_MAX = 1_024;
const QUICK_PROOF_SLOTS = 8;

const slotProofShape = shape.object({
  key: shape.either(shape.hash, shape.quantity),
  value: shape.quantity,
  proof: shape.array(shape.data),
});
const accountProofShape = shape.named(
  'AccountProof',
  { title: 'account proof' },
  shape.object({
    address: shape.address,
    balance: shape.quantity,
    nonce: shape.quantity,
    codeHash: shape.hash,
    storageHash: shape.hash,
    accountProof: shape.array(shape.data),
    storageProof: shape.array(slotProofShape),
  }),
);

type AccountProof = ValueOf<typeof accountProofShape>;
type SlotProof = ValueOf<typeof slotProofShape>;

/** A slot to prove, and the form in which the result names it. */
interface NamedSlot {
  readonly slot: Hash;
  readonly key: Hexadecimal;
}

const namedSlotSchema: Schema<NamedSlot> = {
  ...shortSlotSchema,
  read: (value, path) => {
    const slot = shortSlotSchema.read(value, path);
    // The result names it in the same form, as in geth.
    return { slot, key: isWord(value) ? toPrefixedHex(slot) : quantity(bytesToNumber(slot)) };
  },
};

/** End of a proof without slots. */
const NO_SLOTS = '[]}';

/** Advice about a response that is too long. */
const FEWER_SLOTS = 'request fewer slots';

export const getProof = defineStateQuery({
  name: 'eth_getProof',
  summary: 'Returns the account at an address and words of its storage, with Merkle proofs (EIP-1186).',
  isQuick: (call) => {
    const slots: unknown = Array.isArray(call.parameters) ? call.parameters[1] : undefined;
    return readsHead(2)(call) && Array.isArray(slots) && slots.length <= QUICK_PROOF_SLOTS;
  },
  parameters: [
    { name: 'address', schema: addressSchema },
    {
      name: 'storageKeys',
      schema: arrayOf(namedSlotSchema, { most: PROOF_SLOTS_MAX, unit: 'slots' }),
      summary: 'Must be empty on a chain without a state trie.',
    },
    STATE_PARAMETER,
  ],
  beforeFork: ofState(2, 'object'),
  result: accountProofShape,
  errors: [ERRORS.headerNotFound, ERRORS.stateNotKept, ERRORS.noProofs, ERRORS.stateChanged],
  differences:
    'Proofs need a chain with a state trie (`--state-trie`). Without it `accountProof` is empty, a call with storage ' +
    'keys is refused, and `storageHash` is the root of the empty tree if the account has no storage, and zero ' +
    `otherwise. ${PAST_STORAGE_DIFFERENCES} On a test chain a proof of the state after patches has the root of the ` +
    `next block. ${STATE_DIFFERENCES}`,
  handler: ({ ledger }, [address, slots, block]) => {
    const state = stateAt(ledger, block);
    if (!ledger.parameters.rules.hasStateTrie) {
      if (slots.length > 0) throw new RequestFailedError(ERRORS.noProofs.message);
      return unprovenAccount(state, address);
    }
    // A state at a block does not change while blocks are added between two steps.
    const pinned = ledger.history.stateBefore(state.blocks.head().number + 1);
    return writtenInPieces<AccountProof>(proofPieces(pinned, address, slots), FEWER_SLOTS);
  },
});

function unprovenAccount(state: LedgerQueries, address: Address): AccountProof {
  return {
    address: toPrefixedHex(address),
    balance: quantity(state.accounts.weiBalanceOf(address)),
    nonce: quantity(state.accounts.nonceOf(address)),
    codeHash: codeHashAt(state, address),
    storageHash: storageRootAt(state, address) ?? toPrefixedHex(ZERO_HASH),
    accountProof: [],
    storageProof: [],
  };
}

function* proofPieces(
  { accounts }: LedgerQueries,
  address: Address,
  slots: readonly NamedSlot[],
): Generator<string, void> {
  const { value: account, nodes } = accounts.prove(address);
  const { balance, nonce, codeHash, storageRoot } = account;
  const proof: AccountProof = {
    address: toPrefixedHex(address),
    balance: quantity(balance),
    nonce: quantity(nonce),
    codeHash: toPrefixedHex(codeHash),
    storageHash: toPrefixedHex(storageRoot),
    accountProof: nodes.map(toPrefixedHex),
    storageProof: [],
  };
  yield JSON.stringify(proof).slice(0, -NO_SLOTS.length);
  yield* listPieces(slots.map(({ slot, key }) => slotPieces(accounts, { address, slot, key }, storageRoot)));
  yield '}';
}

/** Writes the proof of a slot in one step. @throws RequestFailedError if the storage has another root */
function* slotPieces(
  accounts: LedgerQueries['accounts'],
  { address, slot, key }: NamedSlot & { readonly address: Address },
  storageRoot: Hash,
): Generator<string, void> {
  const proof: SlotProof = { key, value: quantity(0), proof: [] };
  if (equalBytes(storageRoot, EMPTY_TRIE_ROOT)) {
    yield JSON.stringify(proof);
    return;
  }
  const { value, nodes } = accounts.proveSlot(address, slot);
  const [root] = nodes;
  // A test has changed the state without a block, or the block was reverted.
  if (root === undefined || !equalBytes(keccak256(root), storageRoot)) {
    throw new RequestFailedError(ERRORS.stateChanged.message);
  }
  yield JSON.stringify({ key, value: quantity(bytesToNumber(value)), proof: nodes.map(toPrefixedHex) });
}
