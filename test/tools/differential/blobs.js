import { createRequire } from 'node:module';
import { concat, dataSlice, decodeRlp, encodeRlp, keccak256, sha256, Transaction, toBeArray } from 'ethers';

/** Blobs that transactions combine: the proofs of a blob's cells take a fifth of a second. */
const BLOBS = 4;
const BLOB_BYTES = 131_072;
/** Share of the blob transactions that have a fault. */
const FAULT_SHARE = 5;
/** Numbers of blobs, mostly small: both nodes verify 128 proofs for each. */
const COUNTS = [1, 1, 1, 2, 2, 3, 4, 5, 6];
/** Wei for a unit of blob gas: the lowest price, and more. */
const BLOB_FEES = [1n, 1n, 2n, 10n ** 9n];

/**
 * A blob with its commitment and the proofs of its cells, encoded in RLP.
 *
 * @typedef {{ versionedHash: string, data: string, commitment: string, proofs: string }} Blob
 */

/** Makes the blobs that all transactions share. @returns {Blob[]} */
export function makeBlobs() {
  const { DasContextJs } = createRequire(import.meta.url)('@crate-crypto/node-eth-kzg-linux-x64-gnu');
  const kzg = DasContextJs.create({ usePrecomp: false });
  return Array.from({ length: BLOBS }, (_, index) => {
    // The first byte of a field element is 0: it is less than the modulus.
    const data = Uint8Array.from({ length: BLOB_BYTES }, (_byte, at) => at % 32 && (at * (index + 1)) % 251);
    const commitment = kzg.blobToKzgCommitment(data);
    const { proofs } = kzg.computeCellsAndKzgProofs(data);
    return {
      versionedHash: `0x01${sha256(commitment).slice(4)}`,
      data: encodeRlp(data),
      commitment: encodeRlp(commitment),
      proofs: concat(proofs.map(encodeRlp)),
    };
  });
}

/**
 * Makes a call of type 2 one of type 3, sometimes with a fault for which nodes have to refuse it.
 *
 * @param {any} fields
 * @param {readonly Blob[]} all
 * @param {import('./random.js').Random} random
 */
export function withBlobs(fields, all, random) {
  const blobs = Array.from({ length: random.pick(COUNTS) }, () => random.pick(all));
  const blobVersionedHashes = blobs.map(({ versionedHash }) => versionedHash);
  const valid = { ...fields, type: 3, maxFeePerBlobGas: random.pick(BLOB_FEES), blobs, blobVersionedHashes };
  if (!random.oneIn(FAULT_SHARE)) return valid;
  const [first, ...others] = /** @type {[Blob, ...Blob[]]} */ (blobs);
  const [hash, ...hashes] = /** @type {[string, ...string[]]} */ (blobVersionedHashes);
  const proofs = all.find((blob) => blob !== first)?.proofs;
  const fault = random.pick([
    { to: null },
    { maxFeePerBlobGas: 0n },
    { blobs: [], blobVersionedHashes: [] },
    { blobVersionedHashes: [`0x02${hash.slice(4)}`, ...hashes] },
    { blobVersionedHashes: [`0x01${random.hex(31)}`, ...hashes] },
    { blobVersionedHashes: hashes },
    { blobs: [{ ...first, proofs }, ...others] },
  ]);
  return { ...valid, ...fault };
}

/**
 * Signs a transaction of type 3 in the network form of EIP-7594. ethers takes seconds to encode blobs, and encodes no
 * creation of this type.
 *
 * @param {import('ethers').HDNodeWallet} wallet
 * @param {any} transaction
 */
export function signWithBlobs({ signingKey }, { blobs, ...transaction }) {
  const { unsignedSerialized } = Transaction.from(transaction);
  const fields = /** @type {any[]} */ (decodeRlp(dataSlice(unsignedSerialized, 1)));
  if (transaction.to === null) fields[5] = '0x';
  const { yParity, r, s } = signingKey.sign(keccak256(concat(['0x03', encodeRlp(fields)])));
  const signed = encodeRlp([...fields, ...[yParity, r, s].map((value) => toBeArray(value))]);
  const lists = ['data', 'commitment', 'proofs'].map((name) => listOf(blobs.map((blob) => blob[name])));
  return `0x03${listOf([signed, '0x01', ...lists]).slice(2)}`;
}

/**
 * Encodes a list in RLP.
 *
 * @param {readonly string[]} items encoded ones
 */
function listOf(items) {
  const payload = items.map((item) => item.slice(2)).join('');
  const length = payload.length / 2;
  if (length < 56) return `0x${(0xc0 + length).toString(16)}${payload}`;
  const size = Buffer.from(toBeArray(length)).toString('hex');
  return `0x${(0xf7 + size.length / 2).toString(16)}${size}${payload}`;
}
