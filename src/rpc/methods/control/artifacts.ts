import {
  type Artifact,
  ArtifactError,
  artifactOf,
  artifactsOfCompilation,
  isCodeOf,
} from '../../../contracts/index.ts';
import { shape } from '../../../formatters/index.ts';
import { type Address, contractId, equalBytes, toPrefixedHex } from '../../../protocol/index.ts';
import { defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { textSchema } from '../../parameters/plain.ts';
import {
  addressSchema,
  ignoredSchema,
  mapped,
  optional,
  type ParameterPath,
  refusal,
  type Schema,
} from '../../parameters/schema.ts';
import { membersOf, objectOf } from '../../parameters/structures.ts';
import { ARTIFACT_MATCHES_SEARCHED_MAX } from '../ledger/contracts.ts';

/** The input or the output of a compiler. */
const compilerJsonSchema: Schema<Readonly<Record<string, unknown>>> = {
  describe: () => ({ type: 'object', title: 'object', additionalProperties: true }),
  read: membersOf,
};

const abiSchema: Schema<readonly unknown[]> = {
  describe: () => ({ type: 'array', title: 'ABI', items: { type: 'object' } }),
  read: (value, path) => {
    if (Array.isArray(value)) return value;
    throw refusal(path, 'expected the list of an ABI');
  },
};

const artifactSchema = mapped(
  objectOf({
    name: textSchema,
    abi: abiSchema,
    bytecode: optional(textSchema),
    deployedBytecode: optional(textSchema),
    address: optional(addressSchema),
    metadata: ignoredSchema,
  }),
  ({ name, abi, bytecode, deployedBytecode, address }, path) => ({
    address,
    artifact: reading(path, () => artifactOf({ name, abi, creation: bytecode, runtime: deployedBytecode })),
  }),
);

/** Reads the contracts of a compilation. @throws InvalidParametersError for anything else */
function readCompilation(compiler: string, input: unknown, output: unknown): readonly Artifact[] {
  const path = { within: undefined, key: 'compilerOutput' };
  return reading(path, () => artifactsOfCompilation(input, output, compiler));
}

function reading<T>(path: ParameterPath, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ArtifactError) throw refusal(path, error.message);
    throw error;
  }
}

const addArtifact = defineControlMethod({
  name: 'ledger_addArtifact',
  summary: 'Adds the artifact of a contract, and returns the addresses of the chain that have its code.',
  scheduling: 'turn',
  parameters: [
    {
      name: 'artifact',
      schema: artifactSchema,
      summary: 'Name and ABI; the bytecodes, or the address of the contract; `metadata` has no effect.',
    },
  ],
  result: shape.object({ matched: shape.array(shape.address) }),
  differences:
    'Codes are compared without metadata, libraries and immutable values, with those of the newest ' +
    `${ARTIFACT_MATCHES_SEARCHED_MAX} contracts.`,
  handler: ({ artifacts, ledger }, [{ artifact, address }]) => {
    artifacts.add('ledger_addArtifact', [artifact], address);
    const matched: Address[] = [];
    const first = Math.max(0, ledger.accounts.contractCount - ARTIFACT_MATCHES_SEARCHED_MAX);
    for (let instance = first; instance < ledger.accounts.contractCount; instance += 1) {
      const path = ledger.accounts.contractAddressOf(contractId(instance));
      if (path === undefined) continue;
      const isNamed = address !== undefined && equalBytes(path, address);
      if (isNamed || isCodeOf(artifact, ledger.accounts.codeAt(path))) matched.push(path);
    }
    return { matched: matched.map(toPrefixedHex) };
  },
});

const addCompilationResult = defineControlMethod({
  ...peerNames('addCompilationResult'),
  summary:
    'Adds the artifacts of a compilation: the call trees in the log of the node use their names, interfaces and ' +
    'sources.',
  scheduling: 'turn',
  parameters: [
    { name: 'solcVersion', schema: textSchema },
    { name: 'compilerInput', schema: compilerJsonSchema },
    { name: 'compilerOutput', schema: compilerJsonSchema },
  ],
  result: shape.constant(true),
  differences: 'For artifacts that are too large for a request use `--artifacts`.',
  handler: ({ artifacts }, [compiler, input, output]) => {
    artifacts.add('hardhat_addCompilationResult', readCompilation(compiler, input, output));
    return true;
  },
});

/** The methods that tell the node of contracts. */
export const ARTIFACT_METHODS: readonly MethodDefinition[] = [addArtifact, addCompilationResult];
