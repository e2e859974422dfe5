import { constantShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { compilerInputSchema, compilerOutputSchema, readCompilation } from '../../parameters/artifacts.ts';
import { textSchema } from '../../parameters/plain.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const addCompilationResult = defineMethod({
  ...peerNames('addCompilationResult'),
  summary:
    'Tells the node of compiled contracts: their names, interfaces and sources go into the call trees of the ' +
    "node's log.",
  section: 'control',
  work: 'turn',
  chains: 'test',
  parameters: [
    { name: 'solcVersion', schema: textSchema },
    { name: 'compilerInput', schema: compilerInputSchema },
    { name: 'compilerOutput', schema: compilerOutputSchema },
  ],
  result: constantShape(true),
  differences: 'What is too large for a request is read from a folder: `--artifacts`.',
  handler: ({ artifacts }, [_version, input, output]) => {
    artifacts.add('hardhat_addCompilationResult', readCompilation(input, output));
    return true;
  },
});
