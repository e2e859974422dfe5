import type { Hash } from '../../../protocol/index.ts';
import { invariant } from '../../../protocol/index.ts';
import { ethereumReceiptOf } from '../../answers/ethereum-objects.ts';
import type { ResponseBody } from '../../json/response-body.ts';
import type { MethodContext } from '../../method-context.ts';
import type { ProfileReceipt } from '../../response-cache/response-cache.ts';
import { inclusionOf } from '../../transactions/inclusion.ts';

/**
 * Waits for the block of a transaction that was sent (EIP-7966).
 *
 * @param hash what sending it answered
 * @throws StillPendingError, and RequestFailedError when it is dropped or the node stops
 */
export async function ethereumReceiptAfter(
  context: MethodContext,
  hash: Hash,
  milliseconds: number | undefined,
): Promise<ResponseBody<ProfileReceipt>> {
  const receipt = ethereumReceiptOf(context, await inclusionOf(context, hash, milliseconds));
  invariant(receipt !== null, 'an included operation has a receipt');
  return receipt;
}
