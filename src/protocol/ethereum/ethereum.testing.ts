import fc from 'fast-check';
import { type Address, concatBytes, type Hash, hexToBytes, toAddress, toHash } from '../bytes/bytes.ts';
import { hashedAddress, keccak256 } from '../hashing/hashes.ts';
import type { AuthorizationList } from './authorization.ts';
import type { AccessList, EthereumTransactionFields } from './transaction.ts';

/** Returns the address of a contract created by CREATE2 (EIP-1014). */
export function create2Address(sender: Address, salt: Hash, initCode: Uint8Array): Address {
  return hashedAddress(concatBytes(Uint8Array.of(0xff), sender, salt, keccak256(initCode)));
}

/** A private key of the tests. */
export const KEY = hexToBytes('46'.repeat(32));

const WORD_MAX = 2n ** 256n - 1n;
const COUNTER_MAX = 2n ** 64n - 1n;

/** Numbers of every length in bytes, those at the edges among them. */
function anyNumber(max: bigint): fc.Arbitrary<bigint> {
  const small = fc.bigInt({ min: 0n, max: 300n });
  const edges = fc.constantFrom(0n, 1n, 127n, 128n, 255n, 256n, 2n ** 48n - 1n, 2n ** 48n, max);
  return fc.oneof(small, edges, fc.bigInt({ min: 0n, max }));
}

const anyWord = anyNumber(WORD_MAX);
const anyAddress = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes): Address => toAddress(bytes));
const anyHash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes): Hash => toHash(bytes));
const anyAccessList: fc.Arbitrary<AccessList> = fc.array(
  fc.record({ address: anyAddress, storageKeys: fc.array(anyHash, { maxLength: 4 }) }),
  { maxLength: 4 },
);

/** Any authorizations, most of them with a signature that no key has made. */
const anyAuthorizationList: fc.Arbitrary<AuthorizationList> = fc.array(
  fc.record({
    chainId: anyWord,
    address: anyAddress,
    nonce: anyNumber(COUNTER_MAX),
    yParity: fc.nat(255),
    r: anyWord,
    s: anyWord,
  }),
  { minLength: 1, maxLength: 4 },
);

const shared = {
  nonce: anyNumber(COUNTER_MAX - 1n),
  gas: anyNumber(COUNTER_MAX),
  to: fc.option(anyAddress, { nil: undefined }),
  value: anyWord,
  data: fc.uint8Array({ maxLength: 300 }),
};
const chainId = fc.oneof(
  fc.constantFrom(1n, 110n, 31_337n, 2n ** 53n - 1n),
  fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
);

/** The versioned hashes of 1 to 6 blobs. */
const anyVersionedHashes = fc.array(
  fc.uint8Array({ minLength: 31, maxLength: 31 }).map((rest) => toHash(concatBytes(Uint8Array.of(1), rest))),
  { minLength: 1, maxLength: 6 },
);

const anyFees = fc.tuple(anyWord, anyWord).map(([first, second]) => {
  const [maxPriorityFeePerGas, maxFeePerGas] = first < second ? [first, second] : [second, first];
  return { maxPriorityFeePerGas, maxFeePerGas };
});

/** Any transaction of type 0 to 4 that has a binary form. */
export const anyFields: fc.Arbitrary<EthereumTransactionFields> = fc.oneof(
  fc.record({
    type: fc.constant('legacy' as const),
    chainId: fc.option(chainId, { nil: undefined }),
    gasPrice: anyWord,
    ...shared,
  }),
  fc.record({
    type: fc.constant('accessList' as const),
    chainId,
    gasPrice: anyWord,
    accessList: anyAccessList,
    ...shared,
  }),
  fc
    .tuple(anyFees, fc.record({ chainId, accessList: anyAccessList, ...shared }))
    .map(([fees, fields]) => ({ type: 'dynamicFee' as const, ...fees, ...fields })),
  fc
    .tuple(
      anyFees,
      fc.record({
        chainId,
        accessList: anyAccessList,
        authorizationList: anyAuthorizationList,
        ...shared,
        to: anyAddress,
      }),
    )
    .map(([fees, fields]) => ({ type: 'setCode' as const, ...fees, ...fields })),
  fc
    .tuple(
      anyFees,
      fc.record({
        chainId,
        accessList: anyAccessList,
        maxFeePerBlobGas: anyWord,
        blobVersionedHashes: anyVersionedHashes,
        ...shared,
        to: anyAddress,
      }),
    )
    .map(([fees, fields]) => ({ type: 'blob' as const, ...fees, ...fields })),
);
