import { encode, signedBlockHeaderCodec } from '../../../protocol/index.ts';
import { data, dataShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { blockOf } from '../../tracing/traceable.ts';

export const getRawHeader = defineMethod({
  name: 'debug_getRawHeader',
  summary: 'Answers the bytes of the header of a block.',
  section: 'traces',
  work: 'worker',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  result: dataShape,
  errors: [ERRORS.blockNotFound],
  differences: 'The native header with its signature.',
  handler: ({ ledger }, [reference]) =>
    data(encode(signedBlockHeaderCodec, blockOf(ledger, reference).header)),
});
