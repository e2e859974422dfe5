import { keccak256 } from '../../../protocol/index.ts';
import { data } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { dataSchema } from '../../schemas/bytes.ts';
import { hashResult } from '../../schemas/results.ts';

export const sha3 = defineMethod({
  name: 'web3_sha3',
  summary: 'Computes the Keccak-256 hash of data, which is not the standardized SHA3-256.',
  parameters: [{ name: 'data', schema: dataSchema }],
  result: hashResult,
  handler: (_context, bytes) => data(keccak256(bytes)),
});
