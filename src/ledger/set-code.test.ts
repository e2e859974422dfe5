import { beforeEach, describe, expect, test } from 'vitest';
import { WEI_PER_UNIT } from '../consensus.ts';
import {
  type Address,
  type Authorization,
  createAddress,
  delegationOf,
  hexToBytes,
  signAuthorization,
  signEthereumTransaction,
  ZERO_ADDRESS,
  ZERO_HASH,
} from '../protocol/index.ts';
import type { Store } from '../store/index.ts';
import { openStore } from '../store/index.ts';
import { ethereumAddress, ethereumGenesis, ethereumKey, refusalBy, sendBy } from './ethereum.testing.ts';
import { type Ledger, RefusedError, replayChain, submitEthereum, verifyState } from './index.ts';
import { openTestLedger } from './ledger.testing.ts';

/** Transactions with authorizations (EIP-7702). */

let ledger: Ledger;
let store: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger({ genesis: ethereumGenesis() }));
});

/** Stores the caller under slot 0, or reverts if there is call data. */
const RUNTIME = '3660085733' + '5f55005b5f5ffd';
const deploying = (runtime: string): Uint8Array => {
  const size = (runtime.length / 2).toString(16).padStart(2, '0');
  return hexToBytes(`60${size}600c60003960${size}6000f3${runtime}`);
};

const [SPONSOR, AUTHORITY] = [0, 1];
const authority = ethereumAddress(AUTHORITY);
const target = createAddress(ethereumAddress(3), 0n);

/** An authorization by the key of AUTHORITY. */
function authorization(nonce: bigint, address: Address = target): Authorization {
  const chainId = BigInt(ledger.parameters.network.chainId);
  return signAuthorization({ chainId, address, nonce }, ethereumKey(AUTHORITY));
}

interface Sent {
  readonly nonce?: bigint;
  readonly to?: Address;
  readonly data?: Uint8Array;
  readonly gas?: bigint;
  readonly maxFeePerGas?: bigint;
}

function setCode(by: number, authorizationList: readonly Authorization[], fields: Sent = {}): void {
  const raw = signEthereumTransaction(
    {
      type: 'setCode',
      chainId: BigInt(ledger.parameters.network.chainId),
      nonce: ledger.pool.pending.nonceOf(ethereumAddress(by)),
      maxFeePerGas: 2n * WEI_PER_UNIT,
      maxPriorityFeePerGas: WEI_PER_UNIT,
      gas: 200_000n,
      to: authority,
      value: 0n,
      data: new Uint8Array(),
      accessList: [],
      authorizationList,
      ...fields,
    },
    ethereumKey(by),
  );
  submitEthereum(ledger, raw, { allowUnprotected: false });
}

function refusalOf(run: () => void): string {
  try {
    run();
  } catch (error) {
    if (error instanceof RefusedError) return error.message;
    throw error;
  }
  return 'it was accepted';
}

const delegation = () => delegationOf(ledger.accounts.codeAt(authority));
const receipt = () => ledger.blocks.receiptOf(ledger.blocks.head().number, 0);

describe('a delegation', () => {
  beforeEach(() => {
    sendBy(3, ledger, { to: undefined, data: deploying(RUNTIME), gas: 200_000n });
  });

  test('default: a sponsor delegates an account, whose owner then calls, changes and removes it', () => {
    setCode(SPONSOR, [authorization(0n)]);
    expect(receipt()).toMatchObject({ status: 'success' });
    expect(delegation()).toEqual(target);
    expect(ledger.accounts.nonceOf(authority)).toBe(1n);
    expect(Buffer.from(ledger.accounts.storageAt(authority, ZERO_HASH).subarray(12))).toEqual(
      Buffer.from(ethereumAddress(SPONSOR)),
    );
    sendBy(AUTHORITY, ledger, { to: authority, gas: 100_000n });
    expect(Buffer.from(ledger.accounts.storageAt(authority, ZERO_HASH).subarray(12))).toEqual(
      Buffer.from(authority),
    );
    // The sender's nonce rises before its own authorizations are applied.
    setCode(AUTHORITY, [authorization(3n, ethereumAddress(2))]);
    expect(delegation()).toEqual(ethereumAddress(2));
    setCode(SPONSOR, [authorization(4n, ZERO_ADDRESS)]);
    expect(ledger.accounts.codeAt(authority)).toHaveLength(0);
    expect(ledger.accounts.nonceOf(authority)).toBe(5n);
  });

  test('behavior: it stays after a failed execution', () => {
    setCode(SPONSOR, [authorization(0n)], { data: hexToBytes('01') });
    expect(receipt()).toMatchObject({ status: 'failure' });
    expect(delegation()).toEqual(target);
    expect(ledger.accounts.nonceOf(authority)).toBe(1n);
  });

  test('behavior: replay, verification and reverts agree on the state', async () => {
    const roots: string[] = [];
    const rootOf = () => Buffer.from(store.accumulator() ?? []).toString('hex');
    const remember = () => roots.push(rootOf());
    remember();
    setCode(SPONSOR, [authorization(0n)]);
    remember();
    setCode(SPONSOR, [authorization(1n, ethereumAddress(2)), authorization(2n, target)]);
    remember();
    setCode(SPONSOR, [authorization(3n, ZERO_ADDRESS)]);
    const head = ledger.blocks.head();
    const copy = openStore({ durable: false });
    try {
      await replayChain({ source: store, target: copy });
      expect(await verifyState(copy)).toEqual(await verifyState(store));
    } finally {
      await copy.close();
    }
    expect(head.number).toBe(4);
    for (const number of [3, 2, 1]) {
      ledger.chain.revertTo(number);
      expect(rootOf()).toBe(roots[number - 1]);
    }
    expect(ledger.accounts.codeAt(authority)).toHaveLength(0);
  });

  test('error: gas below 25,000 for each authorization', () => {
    const list = [authorization(0n), authorization(1n)];
    expect(refusalOf(() => setCode(SPONSOR, list, { gas: 70_999n }))).toBe(
      'intrinsic gas too low: have 70999, want 71000',
    );
  });

  test('error: before Prague', async () => {
    ({ ledger } = await openTestLedger({ genesis: { ...ethereumGenesis(), hardfork: 'cancun' } }));
    expect(refusalOf(() => setCode(SPONSOR, [authorization(0n)]))).toBe(
      'transaction type not supported: type 4 rejected, pool not yet in Prague',
    );
  });
});

describe('pending transactions', () => {
  const LIMIT = 'in-flight transaction limit reached for delegated accounts';

  test('behavior: a delegated account has one, which can be replaced', () => {
    setCode(SPONSOR, [authorization(0n)]);
    ledger.miner.stopMining();
    expect(refusalBy(AUTHORITY, ledger, { nonce: 2n })).toBe('gapped-nonce tx from delegated accounts');
    sendBy(AUTHORITY, ledger, { gas: 50_000n });
    expect(refusalBy(AUTHORITY, ledger, { gas: 50_000n })).toBe(LIMIT);
    sendBy(AUTHORITY, ledger, {
      nonce: 1n,
      gas: 50_000n,
      maxFeePerGas: 4n * WEI_PER_UNIT,
      maxPriorityFeePerGas: 2n * WEI_PER_UNIT,
    });
    expect(ledger.pool.pendingCount).toBe(1);
    ledger.miner.startMining();
    ledger.miner.mine();
    expect(ledger.accounts.nonceOf(authority)).toBe(2n);
  });

  test('behavior: so has the account of a pending authorization, until a block includes it', () => {
    ledger.miner.stopMining();
    sendBy(AUTHORITY, ledger);
    setCode(SPONSOR, [authorization(1n)]);
    expect(refusalBy(AUTHORITY, ledger, { nonce: 2n })).toBe(LIMIT);
    ledger.pool.dropPending(({ operations: [operation] }) => {
      return operation?.type === 'ethereumTransaction' && operation.innerTransaction.type === 'setCode';
    });
    sendBy(AUTHORITY, ledger);
    expect(ledger.pool.pendingCount).toBe(2);
  });

  test('error: an authorization of an account with two pending transactions', () => {
    ledger.miner.stopMining();
    sendBy(AUTHORITY, ledger);
    sendBy(AUTHORITY, ledger);
    expect(refusalOf(() => setCode(SPONSOR, [authorization(2n)]))).toBe('authority already reserved');
  });
});
