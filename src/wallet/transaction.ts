import { AMOUNT_MAX } from '../consensus.ts';
import type { Ledger } from '../ledger/index.ts';
import { accountCreateOf, RefusedError } from '../ledger/index.ts';
import {
  type AccountId,
  type Address,
  type AssetAmount,
  bytesToHex,
  coreAmount,
  type Operation,
  sha256,
  type TestCall,
  type TestWeiCall,
} from '../protocol/index.ts';
import type { TestAccount } from './keys.ts';
import { WalletError } from './wallet-errors.ts';

/** Letters at the end of a generated name: 26^12 names make collisions unlikely. */
const NAME_LETTERS = 12;

/** A request of `eth_sendTransaction` or `personal_sendTransaction`; amounts in native units, except the dust. */
export interface TransactionRequest {
  readonly from: Address;
  /** The receiver; absent to create a contract. */
  readonly to?: Address | undefined;
  /** Maximum fee; absent to estimate it. */
  readonly gas?: bigint | undefined;
  readonly value?: bigint | undefined;
  /** wei in addition to the native units of the value, on a chain with Ethereum. */
  readonly dust?: bigint | undefined;
  /** Call data of a contract, or creation code. */
  readonly data?: Uint8Array | undefined;
  /** Time limit of the estimate in milliseconds. */
  readonly timeLimit?: number | undefined;
}

/**
 * Builds the native operation of a request: a transfer to an account or a key, a call to a contract, or a creation
 * without a receiver. The fee is the request's gas, or 0.
 *
 * @throws RefusedError for a receiver that is neither account nor contract, and for data sent to an account
 * @throws WalletError `INVALID_AMOUNT` for a value or gas that is no native amount
 */
export function operationOf(
  request: TransactionRequest,
  sender: AccountId,
  ledger: Pick<Ledger, 'accounts'>,
): Operation {
  const fee = nativeAmount('gas', request.gas ?? 0n);
  const value = nativeAmount('value', request.value ?? 0n);
  const data = request.data ?? new Uint8Array();
  if (request.to === undefined) {
    const code = bytesToHex(data);
    return { type: 'contractCreate', fee, registrar: sender, value, code, ethAccuracy: false };
  }
  const receiver = ledger.accounts.receiverAt(request.to);
  if (receiver.kind === 'contract') {
    const code = bytesToHex(data);
    return { type: 'contractCall', fee, registrar: sender, value, code, callee: receiver.id };
  }
  if (data.length > 0) throw new RefusedError({ code: 'transferWithData', address: request.to });
  return receiver.kind === 'key'
    ? { type: 'transferToAddress', fee, from: sender, to: receiver.address, amount: value }
    : { type: 'transfer', fee, from: sender, to: receiver.id, amount: value };
}

/**
 * Builds the test call of a request.
 *
 * @param isCharged true if the sender pays for the gas
 * @throws WalletError `INVALID_AMOUNT` for a value or gas that is no native amount
 */
export function testCallOf(
  { from, to, gas = 0n, value = 0n, dust = 0n, data }: TransactionRequest,
  isCharged = false,
): TestCall | TestWeiCall {
  const call = {
    caller: from,
    to,
    value: nativeAmount('value', value).amount,
    data: data ?? new Uint8Array(),
    gas: nativeAmount('gas', gas).amount,
  };
  return dust === 0n && !isCharged
    ? { type: 'testCall', ...call }
    : { type: 'testWeiCall', ...call, dust, isCharged };
}

function nativeAmount(name: string, amount: bigint): AssetAmount {
  if (amount < 0n || amount > AMOUNT_MAX) {
    throw new WalletError(
      'INVALID_AMOUNT',
      `${name} ${amount} is no native amount: expected 0 to ${AMOUNT_MAX}`,
    );
  }
  return coreAmount(amount);
}

/** Estimates the gas of a request; `isFree` if the sender is not charged. Throws as `Ledger.calls.estimateGas` does. */
export function estimateOf(
  { value = 0n, dust = 0n, ...request }: TransactionRequest,
  ledger: Pick<Ledger, 'calls' | 'parameters'>,
  isFree = false,
): bigint {
  return ledger.calls.estimateGas({ ...request, value: ledger.parameters.inWei(value) + dust, isFree });
}

/**
 * Builds the operation that registers a key as a new account: its Ed25519 key is the active and the consensus key, and
 * its secp256k1 key gives the EVM address. The name is `test-` and letters derived from the public key.
 *
 * @param registrar the account that pays
 * @param fee maximum fee in native units
 */
export function registrationOf(account: TestAccount, registrar: AccountId, fee: bigint): Operation {
  const { publicKey, evmAddress } = account;
  const letters = [...sha256(publicKey).subarray(0, NAME_LETTERS)].map((byte) =>
    String.fromCharCode('a'.charCodeAt(0) + (byte % 26)),
  );
  const name = `test-${letters.join('')}`;
  return accountCreateOf({ name, activeKey: publicKey, echorandKey: publicKey, evmAddress }, registrar, fee);
}
