import { type ArtifactRegistry, revertMessageOf } from '../../contracts/index.ts';
import { accessListShape, shape, toAccessList, type ValueOf } from '../../formatters/index.ts';
import { type CallOutcome, describeHalt } from '../../ledger/index.ts';
import { type AccessList, quantity } from '../../protocol/index.ts';

/** The result of `eth_createAccessList`. */
export const accessListOutcomeShape = shape.named(
  'AccessListOutcome',
  { title: 'access list and gas' },
  shape.object({
    accessList: accessListShape,
    gasUsed: shape.quantity,
    error: shape.optional(shape.described(shape.text, 'Reason of the failure; absent after a success.')),
  }),
);

/** Maps the access list of a call, and its outcome, to the result of `eth_createAccessList`. */
export function toAccessListOutcome(
  accessList: AccessList,
  gasUsed: bigint,
  outcome: CallOutcome,
  artifacts: ArtifactRegistry | undefined,
): ValueOf<typeof accessListOutcomeShape> {
  const common = { accessList: toAccessList(accessList), gasUsed: quantity(gasUsed) };
  switch (outcome.status) {
    case 'success':
      return common;
    case 'revert':
      return { ...common, error: revertMessageOf(outcome.output, artifacts) };
    case 'halt':
      return { ...common, error: describeHalt(outcome.halt) };
  }
}
