import { data, dataShape, hashShape, nullableShape } from '../../../view/index.ts';
import { sentWithNonce } from '../../accounts/sent-operations.ts';
import { ERRORS, REPLAY_ERRORS } from '../../description/described-errors.ts';
import { defineMethod, defineTraceMethod, type MethodDefinition } from '../../method.ts';
import {
  enteredCalls,
  enteredCallsShape,
  internalOperations,
  internalOperationsShape,
} from '../../otterscan/calls.ts';
import { addressSchema, hashSchema } from '../../parameters/bytes.ts';
import { uint64Schema } from '../../parameters/quantity.ts';
import type { Profile } from '../../profiles/profile.ts';
import { includedBy, isShortOperation } from '../../tracing/traceable.ts';

const getTransactionError = defineMethod({
  name: 'ots_getTransactionError',
  summary: 'Answers the revert data of an included transaction; `0x` when there is none.',
  section: 'otterscan',
  work: 'worker',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: dataShape,
  errors: [ERRORS.transactionNotFound],
  handler: ({ ledger }, [hash]) => {
    const { block, index } = includedBy(ledger, hash);
    return data(ledger.receiptOutlineOf(block.number, index)?.output ?? new Uint8Array());
  },
});

const traceEnteredCalls = defineTraceMethod({
  name: 'ots_traceTransaction',
  summary: 'Answers the calls of an included transaction in the order in which they began.',
  section: 'otterscan',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: enteredCallsShape,
  errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
  differences: 'Calls of precompiled contracts are left out, as Erigon does.',
  isShort: ({ ledger }, [hash]) => isShortOperation(ledger, hash),
  handler: (context, [hash]) => enteredCalls(context, includedBy(context.ledger, hash)),
});

const getInternalOperations = defineTraceMethod({
  name: 'ots_getInternalOperations',
  summary: 'Answers what the code of an included transaction moved, created and destroyed.',
  section: 'otterscan',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: internalOperationsShape,
  errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
  differences: 'What a failure took back is left out.',
  isShort: ({ ledger }, [hash]) => isShortOperation(ledger, hash),
  handler: (context, [hash]) => internalOperations(context, includedBy(context.ledger, hash)),
});

const getTransactionHashBySenderAndNonce = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'ots_getTransactionBySenderAndNonce',
    summary:
      'Answers the hash of the included transaction of an address with a nonce; null when there is none.',
    section: 'otterscan',
    work: 'worker',
    parameters: [
      { name: 'sender', schema: addressSchema },
      { name: 'nonce', schema: uint64Schema },
    ],
    result: nullableShape(hashShape),
    errors: profile.id === 'ledger' ? [ERRORS.historyDisabled] : [],
    differences:
      'Of who pays for native operations the nonce is how many it had paid for before (history plugin).',
    handler: ({ ledger }, [sender, nonce]) => {
      const found = sentWithNonce(ledger, sender, nonce, profile);
      return found === undefined ? null : profile.objects.hash(found);
    },
  });

/** Returns Otterscan's methods about transactions. */
export function otterscanTransactionMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...[getTransactionError, traceEnteredCalls, getInternalOperations],
    getTransactionHashBySenderAndNonce(profile),
  ];
}
