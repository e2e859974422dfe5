import {
  type BlobSidecar,
  type Hash,
  serializeSidecar,
  signEthereumTransaction,
  versionedHashOf,
} from '../protocol/index.ts';
import { ethereumAddress, ethereumGenesis, ethereumKey, MOVING_FEES } from './ethereum.testing.ts';
import { type Ledger, submitEthereum } from './index.ts';

export const GWEI = 10n ** 9n;

/** Mainnet's schedule of Cancun. */
export const CANCUN_BLOBS = { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 };

/** Returns a genesis of a chain with blobs. */
export const blobGenesis = () => ethereumGenesis({ features: { ...MOVING_FEES, blobs: CANCUN_BLOBS } });

/** Deviations from a transaction with one blob. */
export interface BlobOptions {
  readonly blobs?: number;
  readonly nonce?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  readonly maxFeePerBlobGas?: bigint;
  /** Distinguishes the blobs. */
  readonly seed?: number;
  readonly hasSidecar?: boolean;
}

/** Returns a sidecar of equal blobs, whose proofs are wrong. */
function sidecarOf(blobs: number, seed: number): BlobSidecar {
  const items = (length: number) =>
    Array.from({ length: blobs }, (_, index) => new Uint8Array(length).fill(seed + index));
  return { version: 0, blobs: items(131_072), commitments: items(48), proofs: items(48) };
}

/** Signs a blob transaction with a key and submits it with its sidecar, which the ledger does not verify. */
export function sendBlobsBy(index: number, to: Ledger, options: BlobOptions = {}): Hash {
  const { blobs = 1, seed = 1, hasSidecar = true, ...fields } = options;
  const sidecar = sidecarOf(blobs, seed);
  const raw = signEthereumTransaction(
    {
      type: 'blob',
      chainId: BigInt(to.parameters.network.chainId),
      nonce: to.pool.pending.nonceOf(ethereumAddress(index)),
      maxFeePerGas: 100n * GWEI,
      maxPriorityFeePerGas: GWEI,
      gas: 21_000n,
      to: ethereumAddress((index + 1) % 4),
      value: 0n,
      data: new Uint8Array(),
      accessList: [],
      maxFeePerBlobGas: GWEI,
      blobVersionedHashes: sidecar.commitments.map(versionedHashOf),
      ...fields,
    },
    ethereumKey(index),
  );
  return submitEthereum(
    to,
    raw,
    { allowUnprotected: false },
    hasSidecar ? serializeSidecar(sidecar) : undefined,
  );
}
