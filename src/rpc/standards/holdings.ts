import type { BlockSummary } from '../../ledger/index.ts';
import { type Address, bytesToHex, equalBytes } from '../../protocol/index.ts';
import { revertCheck } from '../blocks/block-operations.ts';
import type { QueryContext } from '../method-context.ts';
import { stateAt } from '../profiles/ethereum-profile.ts';
import { type Token, tokenAt, tokenBalance } from './token.ts';
import { findTransfers, type TransferSearch } from './transfer-logs.ts';

/** Balances that one request reads from their tokens: the greatest ones by the transfers. */
export const TOKEN_BALANCES_MAX = 1_000;
/** Holders and tokens that one request finds in transfers. */
export const TOKEN_CANDIDATES_MAX = 10_000;

/** Tokens of one kind that one holder has. */
export interface Holding {
  readonly token: Token;
  readonly holder: Address;
  /** Only of ERC-1155. */
  readonly tokenId: bigint | undefined;
  readonly balance: bigint;
}

export interface Holdings {
  /** The greatest ones first. */
  readonly holdings: readonly Holding[];
  /** False if there may be others. */
  readonly isComplete: boolean;
}

interface Candidate extends Omit<Holding, 'token' | 'balance'> {
  readonly token: Address;
  /** The sum of the transfers, which orders the candidates: tokens may change balances without logs. */
  sum: bigint;
}

/**
 * Finds who holds a token, or which tokens a holder has, after a block, in steps: candidates from the transfers, then
 * their balances as the tokens state them. Throws as `findTransfers`.
 */
export function* findHoldings(
  context: QueryContext,
  search: TransferSearch,
  head: BlockSummary,
): Generator<undefined, Holdings> {
  const { candidates, isComplete } = yield* candidatesOf(context, search, head);
  const ordered = yield* greatestOf(candidates.values());
  const check = revertCheck(context.ledger, head);
  const tokens = new Map<string, Token | undefined>();
  const holdings: Holding[] = [];
  for (const { token: address, holder, tokenId } of ordered) {
    const state = stateAt(context.ledger, BigInt(head.number));
    const key = bytesToHex(address);
    if (!tokens.has(key)) tokens.set(key, tokenAt(state, address));
    const token = tokens.get(key);
    const balance = token === undefined ? 0n : (tokenBalance(state, address, holder, tokenId) ?? 0n);
    if (token !== undefined && balance > 0n) holdings.push({ token, holder, tokenId, balance });
    yield;
    check();
  }
  holdings.sort((left, right) => compare(right.balance, left.balance));
  return { holdings, isComplete: isComplete && candidates.size <= TOKEN_BALANCES_MAX };
}

/** Sums up the transfers of each holder, token and number of an ERC-1155 token. */
function* candidatesOf(context: QueryContext, search: TransferSearch, head: BlockSummary) {
  const candidates = new Map<string, Candidate>();
  const found = findTransfers(context, search, head);
  for (;;) {
    const next = found.next();
    if (next.done === true) return { candidates, isComplete: next.value };
    yield;
    if (next.value === undefined) continue;
    if (candidates.size >= TOKEN_CANDIDATES_MAX) return { candidates, isComplete: false };
    const { log, transfers } = next.value;
    for (const { standard, from, to, tokenId, amount } of transfers) {
      // The balance of an ERC-721 token counts all its numbers.
      const id = standard === 'ERC1155' ? tokenId : undefined;
      const add = (holder: Address, change: bigint): void => {
        if (search.holder !== undefined && !equalBytes(search.holder, holder)) return;
        const key = `${bytesToHex(log.address)}${bytesToHex(holder)}${id}`;
        const candidate = candidates.get(key) ?? { token: log.address, holder, tokenId: id, sum: 0n };
        candidate.sum += change;
        candidates.set(key, candidate);
      };
      add(from, -amount);
      add(to, amount);
    }
  }
}

/** Returns the candidates with the greatest sums in order, in steps. */
function* greatestOf(candidates: Iterable<Candidate>): Generator<undefined, readonly Candidate[]> {
  const greatest: Candidate[] = [];
  const keep = (): void => {
    greatest.sort((left, right) => compare(right.sum, left.sum));
    greatest.splice(TOKEN_BALANCES_MAX);
  };
  for (const candidate of candidates) {
    if (greatest.push(candidate) < 2 * TOKEN_BALANCES_MAX) continue;
    keep();
    yield;
  }
  keep();
  return greatest;
}

function compare(left: bigint, right: bigint): number {
  return left < right ? -1 : Number(left > right);
}
