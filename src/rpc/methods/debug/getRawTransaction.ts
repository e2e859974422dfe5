import { dataShape, type Hexadecimal } from '../../../view/index.ts';
import { RAW_DIFFERENCES, rawTransaction } from '../../answers/raw-transaction.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getRawTransaction = ({ objects }: Profile): MethodDefinition =>
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
