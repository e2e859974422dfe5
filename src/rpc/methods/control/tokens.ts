import type { AccountOverride, CallOutcome, Patch } from '../../../ledger/index.ts';
import {
  type Address,
  bytesToHex,
  equalBytes,
  type Hash,
  hexToBytes,
  numberToBytes,
  toHash,
  toPrefixedHex,
} from '../../../protocol/index.ts';
import { ERRORS, TOKEN_PATCH_ERRORS } from '../../description/described-errors.ts';
import { defineControlAction, type MethodDefinition, peerNames } from '../../method.ts';
import type { TestChainContext } from '../../method-context.ts';
import { controlQuantitySchema } from '../../parameters/plain.ts';
import { addressSchema } from '../../parameters/schema.ts';
import { RequestFailedError } from '../../rpc-errors.ts';
import { callMessage } from '../../transactions/call-messages.ts';

/** Storage slots of a token that are tried as the slot of a balance. */
const TOKEN_SLOTS_MAX = 128;

/** The selector of `balanceOf(address)`. */
const BALANCE_OF = '70a08231';

const dealERC20 = defineControlAction({
  ...peerNames(['dealERC20', 'setERC20Balance']),
  summary:
    "Sets an address's balance of an ERC-20 token without a block, in the slot that `balanceOf` reads.",
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'token', schema: addressSchema, summary: 'The contract.' },
    { name: 'amount', schema: controlQuantitySchema, summary: 'In the smallest units of the token.' },
  ],
  errors: TOKEN_PATCH_ERRORS,
  differences: 'The total supply of the token does not change.',
  handler: (context, [address, token, amount]) => {
    context.ledger.accounts.requireNotEvmAddress(address);
    setAnswer(context, token, `${BALANCE_OF}${wordOfAddress(address)}`, amount);
  },
});

/** The selector of `allowance(address,address)`. */
const ALLOWANCE = 'dd62ed3e';

const setERC20Allowance = defineControlAction({
  ...peerNames('setERC20Allowance'),
  summary:
    'Sets the allowance of a spender for an ERC-20 token without a block, in the slot that `allowance` reads.',
  parameters: [
    { name: 'owner', schema: addressSchema },
    { name: 'spender', schema: addressSchema },
    { name: 'token', schema: addressSchema, summary: 'The contract.' },
    { name: 'amount', schema: controlQuantitySchema, summary: 'In the smallest units of the token.' },
  ],
  errors: TOKEN_PATCH_ERRORS,
  handler: (context, [owner, spender, token, amount]) => {
    for (const address of [owner, spender]) context.ledger.accounts.requireNotEvmAddress(address);
    setAnswer(context, token, `${ALLOWANCE}${wordOfAddress(owner)}${wordOfAddress(spender)}`, amount);
  },
});

const WORD_BYTES = 32;

/** Returns an address as an argument of a call, in hexadecimal. */
function wordOfAddress(address: Address): string {
  return bytesToHex(address).padStart(2 * WORD_BYTES, '0');
}

/**
 * Makes a call of a contract return a number from now on: sets the one slot that it reads and that determines the
 * result. If the call returns that number already, nothing is set.
 *
 * @param data selector and arguments of the call, in hexadecimal
 * @throws RequestFailedError where there is no contract, or no such slot, and what a call and `Ledger.chain.patch`
 *   throw
 */
function setAnswer(context: TestChainContext, token: Address, data: string, answer: bigint): void {
  context.ledger.chain.patch(() => answeringPatch(context, token, data, answer));
}

function answeringPatch(
  context: TestChainContext,
  token: Address,
  data: string,
  answer: bigint,
): Patch | undefined {
  const { ledger } = context;
  if (ledger.accounts.codeAt(token).length === 0) {
    throw new RequestFailedError(`there is no contract at ${toPrefixedHex(token)}`);
  }
  const value = toHash(numberToBytes(answer, WORD_BYTES));
  const nothing = { from: undefined, gas: undefined, value: undefined, chainId: undefined };
  const request = { ...nothing, to: token, data: hexToBytes(data) };
  const { outcome, accessList } = ledger.calls.callWithAccessList(callMessage(request, context));
  if (answers(outcome, value)) return undefined;
  const slots = accessList
    .flatMap(({ address, storageKeys }) => storageKeys.map((slot) => ({ address, slot })))
    .slice(0, TOKEN_SLOTS_MAX);
  const found = slots.find(({ address, slot }) => {
    const overridden = callMessage(request, context, [overrideOf(address, slot, value)]);
    return answers(ledger.calls.call(overridden), value);
  });
  if (found === undefined) throw new RequestFailedError(ERRORS.noSlotFound.message);
  return { type: 'storage', ...found, value };
}

function overrideOf(address: Address, slot: Hash, value: Hash): AccountOverride {
  const others = { balance: undefined, nonce: undefined, code: undefined };
  return { ...others, address, storage: { whole: false, slots: [{ slot, value }] } };
}

function answers(outcome: CallOutcome, value: Hash): boolean {
  return outcome.status === 'success' && equalBytes(outcome.output.subarray(0, WORD_BYTES), value);
}

/** The methods that change the balances and allowances of ERC-20 tokens. */
export const TOKEN_METHODS: readonly MethodDefinition[] = [dealERC20, setERC20Allowance];
