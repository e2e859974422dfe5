import { beforeEach, describe, expect, test } from 'vitest';
import {
  ethereumAddress,
  ethereumGenesis,
  ethereumKey,
  sendBy,
  signedBy,
} from '../../ledger/ethereum.testing.ts';
import {
  createAddress,
  quantity,
  signAuthorization,
  signEthereumTransaction,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { ethereumCall } from '../rpc.testing.ts';
import { type EthereumChain, LOGGING_CODE, openEthereumChain, word } from './chain.testing.ts';

/** Transactions with authorizations (EIP-7702) over JSON-RPC. */

const [SPONSOR, AUTHORITY] = [0, 1];
const from = toPrefixedHex(ethereumAddress(SPONSOR));
const authority = toPrefixedHex(ethereumAddress(AUTHORITY));
const contract = createAddress(ethereumAddress(3), 0n);
const data = toPrefixedHex(word(7));
const DELEGATION = `0xef0100${toPrefixedHex(contract).slice(2)}`;

let chain: EthereumChain;
beforeEach(async () => {
  chain = await openEthereumChain();
  sendBy(3, chain.ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n });
});

const ask = (method: string, ...params: readonly unknown[]) =>
  ethereumCall(chain.dispatcher, method, ...params);
const object = (method: string, ...params: readonly unknown[]) =>
  ask(method, ...params) as Readonly<Record<string, unknown>>;

const signed = (by: number, nonce: bigint) =>
  signAuthorization({ chainId: 255n, address: contract, nonce }, ethereumKey(by));

/** An authorization as clients write it. */
function authorization(by = AUTHORITY, nonce = 0n) {
  const { yParity, r, s } = signed(by, nonce);
  return {
    chainId: '0xff',
    address: toPrefixedHex(contract),
    nonce: quantity(nonce),
    yParity: quantity(yParity),
    r: quantity(r),
    s: quantity(s),
  };
}

const call = { from, to: authority, data, authorizationList: [authorization()] };

/** Sends a transaction that delegates AUTHORITY; its hash. */
function delegate(): unknown {
  const { network } = chain.ledger.parameters;
  const raw = signEthereumTransaction(
    {
      ...{ type: 'setCode', chainId: BigInt(network.chainId), nonce: 0n, gas: 200_000n, value: 0n },
      ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 0n, accessList: [] },
      ...{ to: ethereumAddress(AUTHORITY), data: word(7), authorizationList: [signed(AUTHORITY, 0n)] },
    },
    ethereumKey(SPONSOR),
  );
  return ask('eth_sendRawTransaction', toPrefixedHex(raw));
}

describe('calls', () => {
  test('default: eth_call and eth_estimateGas apply the authorizations, and keep nothing', () => {
    expect(ask('eth_call', call, 'latest')).toBe('0x');
    expect(ask('eth_call', { ...call, data: '0x', authorizationList: [] }, 'latest')).toBe('0x');
    expect(object('eth_call', { ...call, data: '0x' }, 'latest')).toMatchObject({ code: 3 });
    const gas = BigInt(String(ask('eth_estimateGas', call)));
    expect(gas).toBeGreaterThan(46_000n + 20_000n);
    expect(ask('eth_getCode', authority, 'latest')).toBe('0x');
    expect(ask('eth_estimateGas', { from, to: authority })).toBe('0x5208');
    expect(ask('eth_estimateGas', { from, to: authority, authorizationList: [authorization(2, 5n)] })).toBe(
      quantity(46_000),
    );
  });

  test('behavior: an authorization of the sender has its next nonce', () => {
    const own = { ...call, from: authority, data: '0x' };
    expect(ask('eth_call', own, 'latest')).toBe('0x');
    expect(object('eth_call', { ...own, authorizationList: [authorization(AUTHORITY, 1n)] })).toMatchObject({
      code: 3,
    });
  });

  test('behavior: entries without a signature cost gas, and have no effect', () => {
    const { address, chainId, nonce } = authorization();
    const list = [{ address, chainId, nonce }];
    expect(ask('eth_estimateGas', { from, to: authority, authorizationList: list })).toBe(quantity(46_000));
    expect(ask('eth_call', { ...call, data: '0x', authorizationList: list })).toBe('0x');
  });

  test('behavior: eth_createAccessList omits what a delegation makes warm', () => {
    expect(object('eth_createAccessList', call)).toMatchObject({ accessList: [{ address: authority }] });
    delegate();
    const { accessList } = object('eth_createAccessList', { from, to: authority, data });
    expect(accessList).toEqual([{ address: authority, storageKeys: [toPrefixedHex(word(0))] }]);
  });

  test('behavior: eth_simulateV1 keeps delegations and nonces for later calls', () => {
    const later = { from: authority, to: authority, data: '0x' };
    const calls = [call, later, { from: authority, data: toPrefixedHex(LOGGING_CODE) }];
    const [first, second] = object('eth_simulateV1', {
      blockStateCalls: [{ calls }, { calls: [{ ...later, data }] }],
      validation: false,
      returnFullTransactions: true,
    }) as unknown as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>[];
    expect(first?.calls?.map(({ status }) => status)).toEqual(['0x1', '0x0', '0x1']);
    expect(first?.transactions?.map(({ type, nonce }) => [type, nonce])).toEqual([
      ['0x4', '0x0'],
      ['0x2', '0x1'],
      ['0x2', '0x2'],
    ]);
    expect(second?.calls?.map(({ status, logs }) => [status, (logs as unknown[]).length])).toEqual([
      ['0x1', 1],
    ]);
  });

  test('behavior: debug_traceCall shows the authority before, and the code that runs', () => {
    const trace = (tracerConfig: object) =>
      object('debug_traceCall', call, 'latest', { tracer: 'prestateTracer', tracerConfig });
    expect(trace({})[authority]).not.toHaveProperty('code');
    const { post } = trace({ diffMode: true }) as { post: Record<string, unknown> };
    expect(post[authority]).toMatchObject({ nonce: 1, code: DELEGATION });
    expect(object('debug_traceCall', call, 'latest', { tracer: 'callTracer' })).toMatchObject({
      to: authority,
      input: data,
    });
    expect(object('debug_traceCall', call, 'latest', { tracer: 'callTracer' })).not.toHaveProperty('error');
  });

  test.each([
    ['type 3', { type: '0x3', authorizationList: [] }, 'transaction type not supported'],
    ['blobs', { blobVersionedHashes: [`0x01${'00'.repeat(31)}`] }, 'transaction type not supported'],
    ['type 4 without entries', { type: '0x4', authorizationList: [] }, 'at least one authorization tuple'],
    ['type 2 with entries', { type: '0x2' }, 'transaction type not supported'],
    ['a creation', { to: undefined }, 'EIP-7702 transaction cannot be used to create contract'],
  ])('error: %s', (_title, changes, message) => {
    expect(object('eth_fillTransaction', { ...call, ...changes })).toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  test('error: before Prague', async () => {
    chain = await openEthereumChain({ genesis: { ...ethereumGenesis(), hardfork: 'cancun' } });
    expect(object('eth_call', call)).toMatchObject({ message: 'transaction type not supported' });
  });
});

describe('transactions', () => {
  test('default: objects and receipts of type 4', () => {
    const hash = delegate();
    const expected = { type: '0x4', authorizationList: [authorization()], accessList: [] };
    expect(object('eth_getTransactionByHash', hash)).toMatchObject(expected);
    expect(object('eth_getTransactionReceipt', hash)).toMatchObject({ type: '0x4', status: '0x1' });
    expect(ask('eth_getCode', authority, 'latest')).toBe(DELEGATION);
    expect(ask('eth_getStorageAt', authority, '0x0', 'latest')).toBe(data);
    expect(ask('eth_getTransactionCount', authority, 'latest')).toBe('0x1');
    const trace = object('debug_traceTransaction', hash, { tracer: 'prestateTracer' });
    expect(Object.keys(trace)).toContain(authority);
    expect(ask('eth_sendRawTransaction', toPrefixedHex(signedBy(AUTHORITY, chain.ledger)))).toMatch(/^0x/);
  });

  test('default: eth_fillTransaction completes it', () => {
    const { tx } = object('eth_fillTransaction', call) as { tx: object };
    expect(tx).toMatchObject({ type: '0x4', nonce: '0x0', authorizationList: [authorization()] });
    expect(tx).toHaveProperty('maxFeePerGas');
  });
});
