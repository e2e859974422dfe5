import { POSITIONS_PARAMETER, storageValues, storageValuesShape } from '../../answers/storage-values.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getStorageValues = ({ state }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getStorageValues',
    summary: 'Returns the words that contracts store at several positions, 1,024 at most.',
    section: 'state',
    work: 'worker',
    parameters: [POSITIONS_PARAMETER, state.parameter],
    result: storageValuesShape,
    errors: state.errors,
    differences: state.differences,
    example: {
      parameters: [{ '0x0100000000000000000000000000000000000000': ['0x0'] }, 'latest'],
      result: {
        '0x0100000000000000000000000000000000000000': [
          '0x000000000000000000000000000000000000000000000000000000000000004d',
        ],
      },
    },
    handler: ({ ledger }, [positions, block]) => storageValues(state.at(ledger, block), positions),
  });
