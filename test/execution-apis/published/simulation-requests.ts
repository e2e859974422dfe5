import type { Requested, ResponseKind } from './published-case.ts';

/** Parts of the requests of `eth_simulateV1`. */

export const addressOf = (digits: string): string => `0x${digits.padEnd(40, '0')}`;
export const [C0, C1, C2, C3] = ['c0', 'c1', 'c2', 'c3'].map(addressOf);
export const smallAddress = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`;
export const [ECRECOVER, SHA256, IDENTITY] = [1, 2, 4].map(smallAddress);
export const quantity = (number: number): string => `0x${number.toString(16)}`;
export const word = (digits: string): string => `0x${digits.padEnd(64, '0')}`;

/** Code that returns NUMBER, the first slot, 42, or the balance of an address; that stops, reverts, and so on. */
export const CODE = {
  number: '0x435f5260205ff3',
  slot: '0x5f545f5260205ff3',
  forty2: '0x602a5f5260205ff3',
  balanceOf: `0x73${C0?.slice(2)}315f5260205ff3`,
  hashOf: '0x5f35405f5260205ff3',
  codeHashOf: '0x5f353f5f5260205ff3',
  stop: '0x00',
  revert: '0x5f5ffd',
  destruct: '0x5fff',
  store: '0x60ff5f5500',
  log: '0x5f5fa000',
  /** Sends its value on to an address. */
  forward: `0x5f5f5f5f3473${C2?.slice(2)}5af100`,
  /** Runs the code of another contract with its own storage. */
  delegate: `0x5f5f5f5f73${C2?.slice(2)}5af43d5f5f3e3d5ff3`,
  /** Burns most of the gas that a block of 100,000 leaves. */
  burn: '0x5b5a61c35010600057',
};

export const call = (from = C0, to = C1, more: object = {}): object => ({ from, to, ...more });
export const plain = call();
export const state = (overrides: Readonly<Record<string, object>>): object => ({ stateOverrides: overrides });
export const coded = (code: string, address = C1, more: object = {}): Record<string, object> => ({
  [String(address)]: { code, ...more },
});
export const rich = (balance = '0x1e8480', address = C0): Record<string, object> => ({
  [String(address)]: { balance },
});
export const move = (from: string | undefined, to: string | undefined): Record<string, object> => ({
  [String(from)]: { movePrecompileToAddress: to },
});
export const VALIDATION = { validation: true };
export const TRACED = { traceTransfers: true };
export const blocks = (blockStateCalls: readonly object[], more: object = {}): Requested => [
  { blockStateCalls, ...more },
  'latest',
];

export type Row = readonly [ResponseKind, Requested];
/** A case that succeeds. */
export const result = (blockStateCalls: readonly object[], more: object = {}): Row => [
  'result',
  blocks(blockStateCalls, more),
];
/** A case that fails. */
export const error = (code: number, blockStateCalls: readonly object[], more: object = {}): Row => [
  code,
  blocks(blockStateCalls, more),
];
/** A case with block numbers and times that are distances from the head. */
export const placed = (
  kind: ResponseKind,
  distances: readonly {
    readonly number?: number;
    readonly time?: number;
    readonly [field: string]: unknown;
  }[],
): Row => [
  kind,
  ({ headNumber, headTime }) => [
    {
      blockStateCalls: distances.map(({ number, time, calls, stateOverrides, ...others }) => ({
        blockOverrides: {
          ...others,
          ...(number !== undefined && { number: quantity(headNumber + number) }),
          ...(time !== undefined && { time: quantity(headTime + time) }),
        },
        stateOverrides,
        calls,
      })),
    },
    'latest',
  ],
];
export const AUTHORIZATION = {
  chainId: '0x0',
  address: C1,
  nonce: '0x0',
  yParity: '0x0',
  r: word('e46a'),
  s: word('589e'),
};
export const blobCall = call(C0, C2, {
  maxFeePerGas: '0x10',
  maxFeePerBlobGas: '0xa',
  blobVersionedHashes: [word('01')],
});
export const data = { input: `0x${'00'.repeat(31)}01` };
