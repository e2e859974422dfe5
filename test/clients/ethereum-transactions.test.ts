import { Transaction } from 'ethers';
import fc from 'fast-check';
import {
  getContractAddress,
  type Hex,
  keccak256 as hashByViem,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { anyFields, create2Address, KEY } from '../../src/protocol/ethereum/ethereum.testing.ts';
import {
  createAddress,
  type EthereumTransactionFields,
  hexToBytes,
  LedgerdError,
  parseEthereumTransaction,
  recoverSender,
  serializeEthereumTransaction,
  signEthereumTransaction,
  toAddress,
  toHash,
  toPrefixedHex,
} from '../../src/protocol/index.ts';

/** Our codec of Ethereum's transactions beside those of viem and ethers. */

const account = privateKeyToAccount(toPrefixedHex(KEY));

/** The fields as viem takes them. */
function forViem(fields: EthereumTransactionFields): TransactionSerializable {
  const shared = {
    nonce: Number(fields.nonce),
    gas: fields.gas,
    to: fields.to === undefined ? null : toPrefixedHex(fields.to),
    value: fields.value,
    data: toPrefixedHex(fields.data),
  };
  if (fields.type === 'legacy') {
    const chain = fields.chainId === undefined ? {} : { chainId: Number(fields.chainId) };
    return { type: 'legacy', gasPrice: fields.gasPrice, ...chain, ...shared };
  }
  const accessList = fields.accessList.map(({ address, storageKeys }) => ({
    address: toPrefixedHex(address),
    storageKeys: storageKeys.map(toPrefixedHex),
  }));
  const chainId = Number(fields.chainId);
  if (fields.type === 'accessList') {
    return { type: 'eip2930', chainId, gasPrice: fields.gasPrice, accessList, ...shared };
  }
  const { maxFeePerGas, maxPriorityFeePerGas } = fields;
  const feeMarket = { chainId, maxFeePerGas, maxPriorityFeePerGas, accessList, ...shared };
  if (fields.type === 'dynamicFee') return { type: 'eip1559', ...feeMarket };
  if (fields.type === 'blob') {
    const { maxFeePerBlobGas } = fields;
    const blobVersionedHashes = fields.blobVersionedHashes.map(toPrefixedHex);
    const fees = { maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas };
    return {
      ...shared,
      type: 'eip4844',
      chainId,
      ...fees,
      accessList,
      blobVersionedHashes,
    } as TransactionSerializable;
  }
  const authorizationList = fields.authorizationList.map((entry) => ({
    address: toPrefixedHex(entry.address),
    chainId: Number(entry.chainId),
    nonce: Number(entry.nonce),
    yParity: entry.yParity,
    r: numberToHex(entry.r, { size: 32 }),
    s: numberToHex(entry.s, { size: 32 }),
  }));
  return { type: 'eip7702', ...feeMarket, authorizationList };
}

/**
 * True if the clients have all authorizations: their numbers are of 53 bits, and they reject invalid signatures, which
 * a transaction skips.
 */
const fitsClients = (fields: EthereumTransactionFields): boolean =>
  fields.type !== 'setCode' ||
  fields.authorizationList.every(
    ({ chainId, nonce, yParity, s }) =>
      chainId <= Number.MAX_SAFE_INTEGER &&
      nonce <= Number.MAX_SAFE_INTEGER &&
      yParity <= 1 &&
      s < 2n ** 255n,
  );

/** viem's nonces are numbers, and it refuses the two greatest fees of types 2 and 4. */
const fieldsForViem = anyFields
  .filter(({ nonce }) => nonce <= Number.MAX_SAFE_INTEGER)
  .filter((fields) => !('maxFeePerGas' in fields) || fields.maxFeePerGas < 2n ** 256n - 1n)
  .filter(fitsClients);

/** The result of a parser: hash and sender in lower case; undefined for a rejected transaction. */
type Found = { readonly hash: string; readonly from: string } | undefined;

function findByOurs(raw: Uint8Array): Found {
  try {
    const transaction = parseEthereumTransaction(raw);
    return { hash: toPrefixedHex(transaction.hash), from: toPrefixedHex(recoverSender(transaction)) };
  } catch (error) {
    if (!(error instanceof LedgerdError)) throw error;
    return undefined;
  }
}

function findByEthers(raw: Uint8Array): Found {
  try {
    const { hash, from } = Transaction.from(toPrefixedHex(raw));
    return hash === null || from === null ? undefined : { hash, from: from.toLowerCase() };
  } catch {
    return undefined;
  }
}

async function findByViem(raw: Uint8Array): Promise<Found> {
  const serializedTransaction = toPrefixedHex(raw) as TransactionSerialized;
  try {
    parseTransaction(serializedTransaction);
    const from = await recoverTransactionAddress({ serializedTransaction });
    return { hash: hashByViem(serializedTransaction), from: from.toLowerCase() };
  } catch {
    return undefined;
  }
}

test('default: viem signs the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fieldsForViem, async (fields) => {
      const signed = await account.signTransaction(forViem(fields));
      expect(toPrefixedHex(signEthereumTransaction(fields, KEY))).toBe(signed);
    }),
    { numRuns: 60 },
  );
});

test('default: viem and ethers find the same hash and sender', async () => {
  await fc.assert(
    fc.asyncProperty(fieldsForViem, async (fields) => {
      const raw = signEthereumTransaction(fields, KEY);
      const found = findByOurs(raw);
      expect(found?.from).toBe(account.address.toLowerCase());
      expect(findByEthers(raw)).toEqual(found);
      expect(await findByViem(raw)).toEqual(found);
    }),
    { numRuns: 60 },
  );
});

test('behavior: the unsigned form of viem has the hash that we sign', () => {
  fc.assert(
    fc.property(fieldsForViem, (fields) => {
      const { signingHash } = parseEthereumTransaction(signEthereumTransaction(fields, KEY));
      expect(toPrefixedHex(signingHash)).toBe(hashByViem(serializeTransaction(forViem(fields))));
    }),
    { numRuns: 60 },
  );
});

/** A piece of a transaction that was taken out, doubled, or put in the place of another. */
const anyChange = fc.record({
  from: fc.nat(400),
  length: fc.nat(34),
  place: fc.nat(400),
  bytes: fc.uint8Array({ maxLength: 3 }),
});

/**
 * Expects the same result of ethers. It supports no nonces above 2^53 - 1, and rejects a tip above the fee,
 * which is a rule of the chain here.
 */
function expectAgreement(raw: Uint8Array): void {
  const found = findByOurs(raw);
  if (found === undefined) return;
  const transaction = parseEthereumTransaction(raw);
  if (transaction.nonce > Number.MAX_SAFE_INTEGER) return;
  if (!fitsClients(transaction)) return;
  if ('maxFeePerGas' in transaction && transaction.maxPriorityFeePerGas > transaction.maxFeePerGas) return;
  expect(findByEthers(raw), toPrefixedHex(raw)).toEqual(found);
}

describe('malformed transactions', () => {
  test('behavior: whatever we accept of moved pieces, ethers accepts, with the same hash and sender', () => {
    fc.assert(
      fc.property(anyFields, anyChange, (fields, { from, length, place, bytes }) => {
        const raw = signEthereumTransaction(fields, KEY);
        const piece = raw.subarray(from, from + length);
        expectAgreement(Buffer.concat([raw.subarray(0, place), piece, bytes, raw.subarray(place + length)]));
      }),
      { numRuns: 500 },
    );
  });

  test('behavior: whatever we accept of changed bytes, ethers accepts, with the same hash and sender', () => {
    fc.assert(
      fc.property(anyFields, fc.nat(400), fc.integer({ min: 1, max: 255 }), (fields, place, change) => {
        const raw = signEthereumTransaction(fields, KEY);
        const index = place % raw.length;
        raw[index] = (raw[index] ?? 0) ^ change;
        expectAgreement(raw);
      }),
      { numRuns: 500 },
    );
  });
});

/** Transactions that some other parsers accept, and Ethereum's network and this one reject. */
describe('stricter', () => {
  const sample = {
    type: 'legacy',
    chainId: 1n,
    nonce: 1n,
    gasPrice: 1n,
    gas: 21_000n,
    to: toAddress(new Uint8Array(20)),
    value: 0n,
    data: new Uint8Array(),
  } as const;
  const { r, s, yParity } = parseEthereumTransaction(signEthereumTransaction(sample, KEY));
  const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const canonical = toPrefixedHex(serializeEthereumTransaction(sample, { r, s, yParity }));
  /** The nonce as other bytes; the list's length is its second byte. */
  const withNonce = (nonce: string): Hex => {
    const rest = canonical.slice('0xf86201'.length);
    return `0xf8${((nonce.length + rest.length) / 2).toString(16)}${nonce}${rest}`;
  };
  const otherHalf = { r, s: ORDER - s, yParity: yParity === 0 ? 1 : 0 } as const;

  test.each<[what: string, raw: Hex, byOurs: boolean, byViem: boolean, byEthers: boolean]>([
    ['default: as it was signed', canonical, true, true, true],
    ['behavior: a high s', toPrefixedHex(serializeEthereumTransaction(sample, otherHalf)), false, true, true],
    ['behavior: a nonce with a zero in front', withNonce('820001'), false, true, true],
    ['behavior: a nonce that does not stand for itself', withNonce('8101'), false, true, true],
    ['behavior: bytes behind the end', `${canonical}00`, false, false, false],
  ])('%s', async (_title, hex, byOurs, byViem, byEthers) => {
    const raw = hexToBytes(hex.slice(2));
    const found = [findByOurs(raw), await findByViem(raw), findByEthers(raw)];
    expect(found.map((one) => one !== undefined)).toEqual([byOurs, byViem, byEthers]);
  });
});

describe('addresses of contracts', () => {
  const anyAddress = fc.uint8Array({ minLength: 20, maxLength: 20 });
  const anyWord = fc.uint8Array({ minLength: 32, maxLength: 32 });

  test('default: viem finds the same for any sender and nonce', () => {
    fc.assert(
      fc.property(anyAddress, fc.bigInt({ min: 0n, max: 2n ** 64n - 2n }), (sender, nonce) => {
        const address: Hex = toPrefixedHex(createAddress(toAddress(sender), nonce));
        expect(getContractAddress({ from: toPrefixedHex(sender), nonce }).toLowerCase()).toBe(address);
      }),
    );
  });

  test('default: viem finds the same for any sender, salt and code', () => {
    fc.assert(
      fc.property(anyAddress, anyWord, fc.uint8Array(), (sender, salt, code) => {
        const address = toPrefixedHex(create2Address(toAddress(sender), toHash(salt), code));
        const [from, bytecode] = [toPrefixedHex(sender), toPrefixedHex(code)];
        const found = getContractAddress({ opcode: 'CREATE2', from, salt: toPrefixedHex(salt), bytecode });
        expect(found.toLowerCase()).toBe(address);
      }),
    );
  });
});
