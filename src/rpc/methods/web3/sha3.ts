import { keccak256 } from '../../../protocol/index.ts';
import { data, hashShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { dataSchema } from '../../parameters/bytes.ts';

export const sha3 = defineMethod({
  name: 'web3_sha3',
  summary: 'Computes the Keccak-256 hash of data, which is not the standardized SHA3-256.',
  section: 'client',
  work: 'turn',
  parameters: [{ name: 'data', schema: dataSchema, summary: 'The bytes to hash.' }],
  result: hashShape,
  example: {
    parameters: ['0x68656c6c6f20776f726c64'],
    result: '0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad',
  },
  handler: (_context, [bytes]) => data(keccak256(bytes)),
});
