import { type ArtifactRegistry, revertMessageOf } from '../../contracts/index.ts';
import { type CallOutcome, describeHalt } from '../../ledger/index.ts';
import type { AccessList } from '../../protocol/index.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import { shape } from '../../view/index.ts';

/** The result of `eth_createAccessList`. */
export const accessListOutcomeShape = shape.named(
  'AccessListOutcome',
  { title: 'access list and gas' },
  shape.object({
    accessList: shape.array(shape.object({ address: shape.address, storageKeys: shape.array(shape.hash) })),
    gasUsed: shape.quantity,
    error: shape.optional(shape.described(shape.text, 'Why the call failed.')),
  }),
);

/** Returns an access list as JSON. */
export function accessListText(accessList: AccessList) {
  return accessList.map(({ address, storageKeys }) => ({
    address: toPrefixedHex(address),
    storageKeys: storageKeys.map(toPrefixedHex),
  }));
}

/** Returns the reason of a failed call; undefined for a success. */
export function failureTextOf(
  outcome: CallOutcome,
  artifacts: ArtifactRegistry | undefined,
): string | undefined {
  switch (outcome.status) {
    case 'success':
      return undefined;
    case 'revert':
      return revertMessageOf(outcome.output, artifacts);
    case 'halt':
      return describeHalt(outcome.halt);
  }
}
