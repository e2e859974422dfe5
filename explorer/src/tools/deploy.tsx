import { useState } from 'preact/hooks';
import { AbiError, type ContractInterface, fromHex, readInterface, showName } from '../abi/index.ts';
import type { Hex } from '../client/reading.ts';
import { callIfKnown } from '../client/rpc.ts';
import { shownProfile, words } from '../live/chain-state.ts';
import { Section } from '../parts/layout.tsx';
import { ActionForm, type Field, FieldError, type Values } from './action-form.tsx';
import { amountFields, amountOf } from './amounts.ts';
import { argumentFields, encodeArguments } from './arguments.ts';
import { describeFailure } from './failures.ts';
import { useAccounts, useSenderField } from './senders.ts';
import { sendAndShow } from './sent.tsx';

/** A contract that can be created. */
interface Deployable {
  readonly name: string;
  readonly code: string;
  readonly known: ContractInterface;
  readonly artifact: Readonly<Record<string, unknown>>;
}

const ARTIFACT: readonly Field[] = [
  {
    name: 'artifact',
    label: 'Artifact',
    hint: 'the JSON of Hardhat or Foundry, with abi and bytecode',
    input: { kind: 'lines' },
  },
];

/** Creates a contract from the artifact of a compiler. */
export function DeployTool() {
  const [found, setFound] = useState<Deployable>();
  const run = async ({ artifact = '' }: Values) => {
    const read = readArtifact(artifact);
    setFound(read);
    return <p>{showName(read.name)}: fill in its constructor below.</p>;
  };
  return (
    <Section title="Deploy" note="a contract from its artifact">
      <ActionForm fields={ARTIFACT} action="Read" label="an artifact" run={run} />
      {found !== undefined && <ConstructorForm key={found.code} found={found} />}
    </Section>
  );
}

function ConstructorForm({ found }: { readonly found: Deployable }) {
  const { name, code, known, artifact } = found;
  const profile = shownProfile.value;
  const fields = [
    useSenderField(useAccounts()),
    ...argumentFields(known.constructorInputs),
    ...amountFields(profile, words.value.value, '0'),
  ];
  const run = async (values: Values) => {
    const data = encodeArguments(code, known.constructorInputs, values);
    const value = amountOf(values, profile);
    // The node names the contract then, and decodes its calls.
    await callIfKnown('ledger_addArtifact', artifact);
    return sendAndShow(values.sender ?? '', { to: undefined, data, value }, known);
  };
  return (
    <ActionForm
      fields={fields}
      action="Deploy"
      label={showName(name)}
      run={run}
      describe={(error) => describeFailure(error, known.errors)}
    />
  );
}

/** Reads an artifact of Hardhat, or of Foundry, whose code is an object. @throws FieldError */
function readArtifact(text: string): Deployable {
  const wrong = (problem: string) => new FieldError('artifact', problem);
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json !== 'object' || json === null) throw wrong('expected an object with abi and bytecode');
    const { abi, contractName, bytecode, deployedBytecode }: Readonly<Record<string, unknown>> = { ...json };
    const code = codeIn(bytecode);
    if (code === undefined) throw wrong('there is no bytecode in it, or it has unlinked libraries');
    const name = typeof contractName === 'string' ? contractName : 'Contract';
    const runtime = codeIn(deployedBytecode);
    const artifact = {
      name,
      abi,
      bytecode: code,
      ...(runtime === undefined ? {} : { deployedBytecode: runtime }),
    };
    return { name, code, known: readInterface(abi), artifact };
  } catch (error) {
    if (error instanceof SyntaxError) throw wrong(`no JSON: ${error.message}`);
    if (error instanceof AbiError) throw wrong(error.message);
    throw error;
  }
}

function codeIn(value: unknown): Hex | undefined {
  const text: unknown =
    typeof value === 'object' && value !== null && 'object' in value ? value.object : value;
  if (typeof text !== 'string' || text === '' || text === '0x') return undefined;
  const digits: Hex = `0x${text.replace(/^0x/, '')}`;
  return fromHex(digits) === undefined ? undefined : digits;
}
