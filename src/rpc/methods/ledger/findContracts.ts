import { ARTIFACT_MATCHES_LOOKED_MAX, CONTRACTS_FOUND_MAX } from '../../../limits.ts';
import { contractId, formatContractId } from '../../../protocol/index.ts';
import { addressShape, arrayShape, data, objectShape, textShape, type ValueOf } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { textSchema } from '../../parameters/plain.ts';

const foundShape = arrayShape(objectShape({ address: addressShape, id: textShape }));

export const findContracts = defineMethod({
  name: 'ledger_findContracts',
  summary:
    'Returns the contracts with a name that the node knows by `--artifacts`, `ledger_addArtifact` or ' +
    '`hardhat_addCompilationResult`, in any case; the newest first.',
  section: 'state',
  work: 'turn',
  parameters: [{ name: 'name', schema: textSchema }],
  result: foundShape,
  differences:
    `Ethereum has no such method. It returns at most ${CONTRACTS_FOUND_MAX} of the newest ` +
    `${ARTIFACT_MATCHES_LOOKED_MAX} contracts, and none on nodes that are not in test mode.`,
  handler: ({ artifacts, ledger }, [name]) => {
    const found: ValueOf<typeof foundShape>[number][] = [];
    const isNamed = artifacts?.contractsNamed(name);
    if (isNamed === undefined) return found;
    const oldest = Math.max(0, ledger.contractCount - ARTIFACT_MATCHES_LOOKED_MAX);
    for (let instance = ledger.contractCount - 1; instance >= oldest; instance -= 1) {
      const id = contractId(instance);
      const address = ledger.contractAddressOf(id);
      if (address === undefined || !isNamed(address, ledger.codeAt(address))) continue;
      found.push({ address: data(address), id: formatContractId(id) });
      if (found.length === CONTRACTS_FOUND_MAX) break;
    }
    return found;
  },
});
