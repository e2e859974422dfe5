import { shape, type ValueOf } from '../../../formatters/index.ts';
import { contractId, formatContractId, toPrefixedHex } from '../../../protocol/index.ts';
import { ResponseBody } from '../../json/response-body.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { textSchema } from '../../parameters/plain.ts';
import { addressSchema } from '../../parameters/schema.ts';
import { getOrigins } from './origins.ts';

/** Newest contracts that are searched for those of an artifact. */
export const ARTIFACT_MATCHES_SEARCHED_MAX = 10_000;
/** Contracts of one name that are returned. */
const CONTRACTS_FOUND_MAX = 25;

const artifactShape = shape.object({
  name: shape.text,
  abi: shape.array(shape.anyObject()),
  source: shape.described(
    shape.nullable(
      shape.object({
        path: shape.text,
        text: shape.described(shape.nullable(shape.text), 'Null if only the path is known.'),
      }),
    ),
    'The source file of the contract.',
  ),
});

const getArtifact = defineMethod({
  name: 'ledger_getArtifact',
  summary:
    'Returns the artifact of the contract at an address, from `--artifacts`, `ledger_addArtifact` or ' +
    '`hardhat_addCompilationResult`; null for an unknown contract.',
  section: 'state',
  parameters: [{ name: 'address', schema: addressSchema }],
  beforeFork: 'local',
  result: shape.nullable(artifactShape),
  differences: 'Ethereum has no such method; nodes that are not in test mode know no artifacts.',
  handler: ({ artifacts, ledger }, [address]) => {
    const found = artifacts?.contractAt(address, ledger.accounts.codeAt(address));
    if (found === undefined) return null;
    const { name, path, abiText, sourceText } = found;
    const source = path === undefined ? null : { path, text: sourceText() ?? null };
    return new ResponseBody<{ name: string; abi: readonly object[]; source: typeof source }>(
      `{"name":${JSON.stringify(name)},"abi":${abiText},"source":${JSON.stringify(source)}}`,
    );
  },
});

const foundShape = shape.array(shape.object({ address: shape.address, id: shape.text }));

const findContracts = defineMethod({
  name: 'ledger_findContracts',
  summary:
    'Returns the contracts with a name that the node knows by `--artifacts`, `ledger_addArtifact` or ' +
    '`hardhat_addCompilationResult`, in any case; the newest first.',
  section: 'state',
  parameters: [{ name: 'name', schema: textSchema }],
  beforeFork: 'local',
  result: foundShape,
  differences:
    `Ethereum has no such method. It returns at most ${CONTRACTS_FOUND_MAX} of the newest ` +
    `${ARTIFACT_MATCHES_SEARCHED_MAX} contracts, and none on nodes that are not in test mode.`,
  handler: ({ artifacts, ledger }, [name]) => {
    const found: ValueOf<typeof foundShape>[number][] = [];
    const isNamed = artifacts?.contractsNamed(name);
    if (isNamed === undefined) return found;
    const oldest = Math.max(0, ledger.accounts.contractCount - ARTIFACT_MATCHES_SEARCHED_MAX);
    for (let instance = ledger.accounts.contractCount - 1; instance >= oldest; instance -= 1) {
      const id = contractId(instance);
      const address = ledger.accounts.contractAddressOf(id);
      if (address === undefined || !isNamed(address, ledger.accounts.codeAt(address))) continue;
      found.push({ address: toPrefixedHex(address), id: formatContractId(id) });
      if (found.length === CONTRACTS_FOUND_MAX) break;
    }
    return found;
  },
});

/** The methods that show what the node knows of contracts. */
export const CONTRACT_METHODS: readonly MethodDefinition[] = [getArtifact, findContracts, getOrigins];
