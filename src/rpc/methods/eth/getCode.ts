import { defineMethod, type MethodDefinition } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getCode = ({ state, codeShape, code }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getCode',
    summary: 'Returns the code of an address.',
    section: 'state',
    work: 'worker',
    isQuick: state.readsHead(1),
    parameters: [{ name: 'address', schema: addressSchema }, state.parameter],
    result: codeShape,
    errors: state.errors,
    differences: state.differences ?? 'The empty string, not `0x`, for an address without code.',
    example: {
      parameters: ['0x0100000000000000000000000000000000000000', 'latest'],
      result: '0x6080604052',
    },
    handler: (context, [address, block]) => code(state.atOrPending(context, block).codeAt(address)),
  });
