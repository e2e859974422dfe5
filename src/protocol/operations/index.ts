/** Operations: their fields, their codec, and what is asked of all of them. */

export {
  codeDigits,
  feePayer,
  isMetered,
  isVirtual,
  movedAmount,
  operationCodec,
  receiverAddress,
  senderAddress,
} from './operation-queries.ts';
export type { Operation, SubmittedOperation, Transfer } from './operations.ts';
