import { dataShape, type Hexadecimal, nullableShape } from '../../../view/index.ts';
import { operationIn } from '../../blocks/find-block.ts';
import type { ProfileId } from '../../context/profile-id.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { quantitySchema } from '../../parameters/quantity.ts';
import type { Profile } from '../../profiles/profile.ts';
import { RAW_DIFFERENCES, rawTransaction } from '../../transactions/raw-transactions.ts';
import { BLOCK_CHOICES, type BlockChoice } from './block-choice.ts';

const DIFFERENCES: Readonly<Record<ProfileId, string>> = {
  ledger: RAW_DIFFERENCES,
  ethereum: 'The bytes of a native operation are those of its native transaction.',
};

const getRawTransactionByIndex = (
  { id, objects }: Profile,
  { suffix, parameter }: BlockChoice,
): MethodDefinition =>
  defineMethod({
    name: `eth_getRawTransactionByBlock${suffix}AndIndex`,
    summary:
      'Returns the signed bytes of the transaction at a position of a block; null where there is none.',
    section: 'blocks',
    work: 'worker',
    parameters: [
      parameter,
      { name: 'index', schema: quantitySchema, summary: 'Position of the operation in the block.' },
    ],
    result: nullableShape(dataShape),
    differences: DIFFERENCES[id],
    handler: ({ ledger }, [numberOf, index]) => {
      const operation = operationIn(ledger, numberOf(ledger), index);
      if (operation === undefined) return null;
      const { block, index: position } = operation;
      return objects.carriedBytes(operation) ?? rawTransaction(ledger.transactionAt(block.number, position));
    },
  });

const getRawTransactionByHash = ({ id, objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getRawTransactionByHash',
    summary: 'Returns the signed bytes of a transaction by its hash; null for an unknown hash.',
    section: 'blocks',
    work: 'turn',
    parameters: [
      { name: 'transactionHash', schema: hashSchema, summary: 'Of the pending or the included form.' },
    ],
    result: nullableShape(dataShape),
    differences: DIFFERENCES[id],
    handler: ({ ledger }, [hash]) => {
      const found = ledger.findOperation(hash);
      if (found === undefined) return null;
      return objects.carriedBytes(found) ?? rawTransaction(ledger.findTransaction(hash));
    },
  });

const getRawTransaction = ({ objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'debug_getRawTransaction',
    summary: 'Answers the bytes of a transaction by its hash; `0x` when there is none.',
    section: 'traces',
    work: 'turn',
    parameters: [{ name: 'transactionHash', schema: hashSchema }],
    result: dataShape,
    differences: RAW_DIFFERENCES,
    handler: ({ ledger }, [hash]): Hexadecimal => {
      const found = ledger.findOperation(hash);
      const carried = found && objects.carriedBytes(found);
      return carried ?? rawTransaction(ledger.findTransaction(hash)) ?? '0x';
    },
  });

/** Returns the methods that give the bytes of transactions. */
export function rawTransactionMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    ...BLOCK_CHOICES.map((choice) => getRawTransactionByIndex(profile, choice)),
    ...[getRawTransactionByHash(profile), getRawTransaction(profile)],
  ];
}
