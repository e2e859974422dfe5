import { type Artifact, ArtifactError, artifactOf, artifactsOfCompilation } from '../../contracts/index.ts';
import { addressSchema } from './bytes.ts';
import { ignoredSchema, textSchema } from './plain.ts';
import { mapped, optional, type Place, refusal, type Schema } from './schema.ts';
import { membersOf, objectOf } from './structures.ts';

/** What a compiler writes; the method itself reads it. */
const compilerJson: Schema<Readonly<Record<string, unknown>>> = {
  describe: () => ({ type: 'object', title: 'object', additionalProperties: true }),
  read: membersOf,
};

/** What a compiler is given. */
export const compilerInputSchema = compilerJson;
/** What it gives back. */
export const compilerOutputSchema = compilerJson;

const abiSchema: Schema<readonly unknown[]> = {
  describe: () => ({ type: 'array', title: 'ABI', items: { type: 'object' } }),
  read: (value, place) => {
    if (Array.isArray(value)) return value;
    throw refusal(place, 'expected the list of an ABI');
  },
};

/** One contract as it is told of. */
export const artifactSchema = mapped(
  objectOf({
    name: textSchema,
    abi: abiSchema,
    bytecode: optional(textSchema),
    deployedBytecode: optional(textSchema),
    address: optional(addressSchema),
    metadata: ignoredSchema,
  }),
  ({ name, abi, bytecode, deployedBytecode, address }, place) => ({
    address,
    artifact: reading(place, () => artifactOf({ name, abi, creation: bytecode, runtime: deployedBytecode })),
  }),
);

/** The contracts of a compilation. @throws RpcError for what is none */
export function readCompilation(input: unknown, output: unknown): readonly Artifact[] {
  return reading({ within: undefined, key: 'compilerOutput' }, () => artifactsOfCompilation(input, output));
}

function reading<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ArtifactError) throw refusal(place, error.message);
    throw error;
  }
}
