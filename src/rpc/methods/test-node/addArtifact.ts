import { isCodeOf } from '../../../contracts/index.ts';
import { ARTIFACT_MATCHES_LOOKED_MAX } from '../../../limits.ts';
import { type Address, contractId, equalBytes } from '../../../protocol/index.ts';
import { addressShape, arrayShape, data, objectShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { artifactSchema } from '../../parameters/artifacts.ts';

export const addArtifact = defineMethod({
  name: 'ledger_addArtifact',
  summary: 'Tells the node of a contract, and answers the addresses of the chain that have its code.',
  section: 'control',
  work: 'turn',
  chains: 'test',
  parameters: [
    {
      name: 'artifact',
      schema: artifactSchema,
      summary:
        'Name and ABI; its codes, or an address whose contract it is; `metadata` is taken without effect.',
    },
  ],
  result: objectShape({ matched: arrayShape(addressShape) }),
  differences:
    'Codes are compared without metadata, libraries and immutable values, with those of the newest ' +
    `${ARTIFACT_MATCHES_LOOKED_MAX} contracts.`,
  handler: ({ artifacts, ledger }, [{ artifact, address }]) => {
    artifacts.add('ledger_addArtifact', [artifact], address);
    const matched: Address[] = [];
    const first = Math.max(0, ledger.contractCount - ARTIFACT_MATCHES_LOOKED_MAX);
    for (let instance = first; instance < ledger.contractCount; instance += 1) {
      const place = ledger.contractAddressOf(contractId(instance));
      if (place === undefined) continue;
      const isNamed = address !== undefined && equalBytes(place, address);
      if (isNamed || isCodeOf(artifact, ledger.codeAt(place))) matched.push(place);
    }
    return { matched: matched.map(data) };
  },
});
