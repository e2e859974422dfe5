import type { BlockOverride, CallMessage, IncludedOperation } from '../../ledger/index.ts';
import { blockHashOf } from '../../protocol/index.ts';
import { data, ethereumHashOf, type FlatPlace } from '../../view/index.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { QueryContext } from '../method-context.ts';
import { type CallRequest, callRequestSchema } from '../parameters/call-object.ts';
import type { PlacedOverride } from '../parameters/overrides.ts';
import type { Schema } from '../parameters/schema.ts';
import { callMessage } from '../transactions/call-messages.ts';
import {
  type EthereumRequest,
  ethereumMessage,
  ethereumRequestSchema,
} from '../transactions/ethereum-call-messages.ts';

/** What of traces differs between the profiles: hashes of transactions, and the form of calls. */
export interface TraceView<Request = unknown> {
  readonly profile: ProfileId;
  readonly requestSchema: Schema<Request>;
  messageOf(
    request: Request,
    context: QueryContext,
    accounts: readonly PlacedOverride[],
    block: BlockOverride | undefined,
  ): CallMessage;
}

export const LEDGER_TRACES: TraceView<CallRequest> = {
  profile: 'ledger',
  requestSchema: callRequestSchema,
  messageOf: callMessage,
};

export const ETHEREUM_TRACES: TraceView<EthereumRequest> = {
  profile: 'ethereum',
  requestSchema: ethereumRequestSchema,
  messageOf: (request, context, accounts, block) => ethereumMessage(request, context, { accounts, block }),
};

/** Where an operation is, as traces say it. */
export function placeOf(operation: IncludedOperation, { profile }: Pick<TraceView, 'profile'>): FlatPlace {
  const { block, index } = operation;
  return {
    blockHash: data(blockHashOf(block.id)),
    blockNumber: block.number,
    transactionHash: data(profile === 'ethereum' ? ethereumHashOf(operation) : operation.hash),
    transactionPosition: index,
  };
}
