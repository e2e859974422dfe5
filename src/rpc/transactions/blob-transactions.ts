import {
  isSince,
  type LedgerQueries,
  nativeTransactionOf,
  RefusedError,
  refuseUnsupportedBlobs,
  submitEthereum,
} from '../../ledger/index.ts';
import {
  type BlobWrapper,
  checkSidecar,
  DecodeError,
  FormatError,
  type Hash,
  invariant,
  isEthereumTransaction,
  parseBlobWrapper,
  serializeSidecar,
} from '../../protocol/index.ts';
import { type Caller, NO_CLIENT } from '../context/caller.ts';
import type { MethodContext } from '../method-context.ts';
import { RequestFailedError } from '../rpc-errors.ts';

/**
 * Reads the network form of a blob transaction, and checks that its sidecar has the blobs of its hashes. Proofs are not
 * verified. Each part is bounded.
 *
 * @returns undefined for any other transaction
 * @throws RefusedError with geth's message
 */
export function readBlobTransaction(
  raw: Uint8Array,
  { parameters }: Pick<LedgerQueries, 'parameters'>,
): BlobWrapper | undefined {
  if (!parameters.knowsEthereum) return undefined;
  refuseUnsupportedBlobs(raw, parameters.rules);
  try {
    const wrapper = parseBlobWrapper(raw);
    if (wrapper !== undefined) checkWrapper(wrapper);
    return wrapper;
  } catch (error) {
    if (!(error instanceof DecodeError || error instanceof FormatError)) throw error;
    throw new RefusedError({ code: 'sidecarInvalid', detail: error.message });
  }
}

function checkWrapper({ transaction, sidecar }: BlobWrapper): void {
  const [operation] = nativeTransactionOf(transaction).operations;
  invariant(
    operation !== undefined && isEthereumTransaction(operation),
    'a native transaction has an operation',
  );
  const { innerTransaction } = operation;
  invariant(innerTransaction.type === 'blob', 'a wrapper has a blob transaction');
  checkSidecar(sidecar, innerTransaction.blobVersionedHashes);
}

/**
 * Verifies the proofs of a blob transaction outside of this thread, then submits it with its sidecar.
 *
 * @returns its hash
 * @throws RefusedError with geth's message, LimitError, RequestFailedError on a node that verifies no blobs
 */
export async function submitBlobTransaction(
  { ledger, blobVerifier, allowUnprotected = false }: MethodContext,
  { transaction, sidecar }: BlobWrapper,
  { budget, client = NO_CLIENT }: Caller,
): Promise<Hash> {
  const { hardfork } = ledger.parameters.rules;
  if (sidecar.version === 1 && !isSince(hardfork, 'osaka')) {
    throw new RefusedError({ code: 'sidecarInvalid', detail: 'unexpected sidecar version, want: 0, got: 1' });
  }
  if (blobVerifier === undefined) throw new RequestFailedError('this node verifies no blobs');
  const bytes = serializeSidecar(sidecar);
  const job = budget?.beginJob();
  // The copy for the verifier, and the bytes to store.
  job?.hold(2 * bytes.length);
  try {
    const isValid = await blobVerifier.verify(sidecar, client);
    if (!isValid)
      throw new RefusedError({ code: 'sidecarInvalid', detail: 'KZG verification error: invalid proof' });
    return submitEthereum(ledger, transaction, { allowUnprotected }, bytes);
  } finally {
    job?.hold(0);
  }
}
