import { WEI_PER_UNIT } from '../../src/consensus.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import {
  nativeTransactionOf,
  type SenderNonce,
  senderNonceOf,
} from '../../src/ledger/transactions/native-transaction.ts';
import {
  bytesToHex,
  keccak256,
  type SignedTransaction,
  signAuthorization,
  signEthereumTransaction,
} from '../../src/protocol/index.ts';
import type { Random } from '../fuzz/random.ts';
import { ETHEREUM_SENDERS } from './chain.ts';

const GAS = 21_000n;
/** Gas of a transfer with an authorization (EIP-7702). */
const SET_CODE_GAS = 71_000n;
/** Share of the transactions that set the code of an account. */
const SET_CODE_SHARE = 5;
/** Tips that are offered, in units for each gas: some are no more than those that they are to replace offer. */
const TIPS = [0n, 1n, 2n, 5n] as const;
/** The most units that a transfer moves. */
const AMOUNT_MAX = 100_000;

/** A transfer of Ethereum's: mostly of its sender's next nonce, now and then of one that is taken or too high. */
export function makeEthereumTransaction(ledger: Ledger, random: Random): SignedTransaction {
  const [sender, receiver] = [random.pick(ETHEREUM_SENDERS), random.pick(ETHEREUM_SENDERS)];
  const next = ledger.pool.pending.nonceOf(sender.address);
  const nonce = random.oneIn(6)
    ? ledger.accounts.nonceOf(sender.address)
    : random.oneIn(8)
      ? next + 1n
      : next;
  const tip = random.pick(TIPS) * WEI_PER_UNIT;
  const chainId = BigInt(ledger.parameters.network.chainId);
  const fields = {
    ...{ chainId, nonce, maxFeePerGas: WEI_PER_UNIT + tip, maxPriorityFeePerGas: tip },
    ...{ to: receiver.address, value: BigInt(random.below(AMOUNT_MAX)) * WEI_PER_UNIT },
    ...{ data: new Uint8Array(), accessList: [] },
  };
  if (!random.oneIn(SET_CODE_SHARE)) {
    return nativeTransactionOf(
      signEthereumTransaction({ ...fields, type: 'dynamicFee', gas: GAS }, sender.key),
    );
  }
  // The owner sends nothing, and nobody sends to it.
  const authorization = { chainId, address: receiver.address, nonce: 0n };
  const authorizationList = [signAuthorization(authorization, keccak256(random.bytes(4)))];
  return nativeTransactionOf(
    signEthereumTransaction({ ...fields, type: 'setCode', gas: SET_CODE_GAS, authorizationList }, sender.key),
  );
}

/** Used nonces: the number of transactions of each sender in a chain, which is its next nonce. */
export class TakenPlaces {
  readonly #counts = new Map<string, bigint>();
  /** Transactions of the chain with a wrong nonce. */
  readonly misplaced: string[] = [];

  constructor(transactions: Iterable<SignedTransaction>) {
    for (const transaction of transactions) {
      const place = senderNonceOf(transaction);
      if (place === undefined) continue;
      const name = bytesToHex(place.sender);
      const next = this.#counts.get(name) ?? 0n;
      if (place.nonce !== next)
        this.misplaced.push(`${name} has nonce ${place.nonce} in the chain after ${next}`);
      this.#counts.set(name, next + 1n);
    }
  }

  /** Number of transactions. */
  get count(): number {
    return Number([...this.#counts.values()].reduce((sum, count) => sum + count, 0n));
  }

  /**
   * Returns the reason why a transaction outside of the chain cannot be included yet: `gap` if an earlier
   * nonce is missing, `taken` if another transaction has its nonce; undefined if it is the next one, or not
   * Ethereum's.
   */
  blockedBy(transaction: SignedTransaction): 'gap' | 'taken' | undefined {
    const place: SenderNonce | undefined = senderNonceOf(transaction);
    if (place === undefined) return undefined;
    const next = this.#counts.get(bytesToHex(place.sender)) ?? 0n;
    if (place.nonce === next) return undefined;
    return place.nonce > next ? 'gap' : 'taken';
  }
}
