import { useMemo, useRef, useState } from 'preact/hooks';
import {
  AbiError,
  type AbiParameter,
  type ContractFunction,
  type ContractInterface,
  decodeParameters,
  fromHex,
  readInterface,
  showName,
  showValue,
  showValues,
  typeName,
} from '../abi/index.ts';
import { artifactAt } from '../client/artifacts.ts';
import { originOfCall } from '../client/origins.ts';
import type { Hex } from '../client/reading.ts';
import { call, callIfKnown } from '../client/rpc.ts';
import { learnAgain } from '../contracts/known-contracts.ts';
import { SHOWN_FUNCTIONS_MAX } from '../limits.ts';
import { facts, shownProfile, words } from '../live/chain-state.ts';
import { liveBlocks } from '../live/feed.ts';
import { Fact, Facts, Section } from '../parts/layout.tsx';
import { OriginMark } from '../parts/origin.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { ActionForm, type Field, FieldError, type Values } from './action-form.tsx';
import { amountFields, amountOf } from './amounts.ts';
import { argumentFields, encodeArguments } from './arguments.ts';
import { describeFailure } from './failures.ts';
import { useAccounts, useSenderField } from './senders.ts';
import { sendAndShow } from './sent.tsx';

/** From how many functions on a list can be searched. */
const SEARCHED_FUNCTIONS = 10;

type Read =
  | { readonly kind: 'none' }
  | { readonly kind: 'known'; readonly known: ContractInterface }
  | { readonly kind: 'wrong'; readonly problem: string };

/**
 * Forms to call a contract and to send to it, by its interface: the one that the node knows, or one that is pasted.
 *
 * @param abi JSON of an interface, or of an artifact that has one; undefined where the node knows none
 */
export function ContractForms({ address, abi }: { readonly address: Hex; readonly abi: unknown }) {
  const [pasted, setPasted] = useState<unknown>();
  const read = useMemo(() => interfaceOf(pasted ?? abi), [pasted, abi]);
  const accounts = useAccounts();
  return (
    <>
      {read.kind === 'wrong' && <p class="problem">The interface cannot be read: {read.problem}</p>}
      {read.kind === 'known' && (
        <>
          <ConstantValues address={address} known={read.known} />
          <Functions title="Read" functions={read.known.functions.filter(({ isRead }) => isRead)}>
            {(described) => <ReadForm address={address} described={described} known={read.known} />}
          </Functions>
          <Functions title="Write" functions={read.known.functions.filter(({ isRead }) => !isRead)}>
            {(described) => (
              <WriteForm address={address} described={described} known={read.known} accounts={accounts} />
            )}
          </Functions>
          {read.known.problems.length > 0 && (
            <p class="quiet wrapped">
              Not shown, as it cannot be read: {read.known.problems.slice(0, 3).join('; ')}
              {read.known.problems.length > 3 && ` and ${read.known.problems.length - 3} more`}
            </p>
          )}
        </>
      )}
      <PasteInterface address={address} onRead={setPasted} isKnown={read.kind === 'known'} />
    </>
  );
}

/** Shows what all functions without arguments return. */
function ConstantValues({ address, known }: { readonly address: Hex; readonly known: ContractInterface }) {
  const functions = known.functions
    .filter(({ isRead, inputs, outputs }) => isRead && inputs.length === 0 && outputs.length > 0)
    .slice(0, SHOWN_FUNCTIONS_MAX);
  const head = liveBlocks.value[0]?.header.hash;
  const [first] = functions;
  const loaded = useLoaded(`values ${address} ${functions.length} ${first?.selector} ${head}`, () =>
    Promise.all(functions.map(({ selector, outputs }) => resultText(address, selector, outputs))),
  );
  /** The values before stay until the new ones have come. */
  const last = useRef<readonly string[]>(undefined);
  if (loaded.state === 'ready') last.current = loaded.value;
  const texts = last.current;
  if (functions.length === 0) return null;
  return (
    <Section title="Values" note="all functions without arguments">
      <Facts>
        {functions.map(({ name, selector }, index) => (
          <Fact key={selector} name={showName(name)}>
            <span class="mono">{texts?.[index] ?? '…'}</span>
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

/** Calls a function without arguments, and returns its result or its failure as text. */
async function resultText(to: Hex, data: string, outputs: readonly AbiParameter[]): Promise<string> {
  try {
    const answer = await call('eth_call', { to, data }, 'latest');
    const values = decodeParameters(outputs, fromHex(String(answer)) ?? new Uint8Array());
    return showValues(outputs, values);
  } catch (error) {
    return describeFailure(error);
  }
}

function interfaceOf(json: unknown): Read {
  if (json === undefined || json === null) return { kind: 'none' };
  try {
    return { kind: 'known', known: readInterface(json) };
  } catch (error) {
    if (error instanceof AbiError) return { kind: 'wrong', problem: error.message };
    throw error;
  }
}

function PasteInterface({
  address,
  onRead,
  isKnown,
}: {
  readonly address: Hex;
  readonly onRead: (json: unknown) => void;
  readonly isKnown: boolean;
}) {
  const canTell = facts.value?.isTest === true;
  const fields: Field[] = [
    {
      name: 'abi',
      label: 'ABI',
      hint: 'the JSON list of a compiler, or an artifact of Hardhat or Foundry',
      input: { kind: 'lines' },
    },
    ...(canTell
      ? [{ name: 'tell', label: 'Submit it to the node, too', input: { kind: 'check' } } satisfies Field]
      : []),
  ];
  const run = async ({ abi = '', tell = '' }: Values) => {
    const json = parsed(abi);
    const { kind, ...rest } = interfaceOf(json);
    if ('problem' in rest) throw new FieldError('abi', rest.problem);
    if (kind === 'none') throw new FieldError('abi', 'there is no interface in it');
    onRead(json);
    if (tell !== 'true') return <p>Shown above, and forgotten with this view.</p>;
    const name = nameOf(json) ?? (await artifactAt(address))?.name ?? 'Contract';
    await callIfKnown('ledger_addArtifact', { name, abi: abiOf(json), address });
    await learnAgain(address);
    return <p>Shown above, and known to the node until it stops.</p>;
  };
  return (
    <Section
      title="Interface"
      note={isKnown ? 'Another one can be used here.' : 'None is known of this contract.'}
    >
      <ActionForm fields={fields} action="Use this ABI" run={run} />
    </Section>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FieldError('abi', `no JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}`);
  }
}

function abiOf(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'abi' in json ? json.abi : json;
}

function Functions({
  title,
  functions,
  children,
}: {
  readonly title: string;
  readonly functions: readonly ContractFunction[];
  readonly children: (described: ContractFunction) => preact.ComponentChildren;
}) {
  const [wanted, setWanted] = useState('');
  if (functions.length === 0) return null;
  const found = functions.filter(({ signature }) => signature.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <Section title={title} note={`${functions.length} ${functions.length === 1 ? 'function' : 'functions'}`}>
      {functions.length >= SEARCHED_FUNCTIONS && (
        <input
          type="search"
          class="find-function"
          aria-label={`Find a function to ${title.toLowerCase()}`}
          placeholder="Find a function"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      )}
      {found.slice(0, SHOWN_FUNCTIONS_MAX).map((described) => (
        <Folded key={described.selector} described={described}>
          {children}
        </Folded>
      ))}
      {found.length > SHOWN_FUNCTIONS_MAX && (
        <p class="quiet">{found.length - SHOWN_FUNCTIONS_MAX} more: find them by their names.</p>
      )}
    </Section>
  );
}

/** A function whose form is created when it is opened. */
function Folded({
  described,
  children,
}: {
  readonly described: ContractFunction;
  readonly children: (described: ContractFunction) => preact.ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="function" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code class="wrapped">{showName(described.signature)}</code>
        {described.isPayable && <small class="quiet"> payable</small>}
      </summary>
      {isOpen && children(described)}
    </details>
  );
}

function ReadForm({
  address,
  described,
  known,
}: {
  readonly address: Hex;
  readonly described: ContractFunction;
  readonly known: ContractInterface;
}) {
  const run = async (values: Values) => {
    const data = encodeArguments(described.selector, described.inputs, values);
    const [answer, origin] = await Promise.all([
      call('eth_call', { to: address, data }, 'latest'),
      facts.value?.fork === undefined ? undefined : originOfCall(address, data),
    ]);
    return (
      <>
        <Outputs outputs={described.outputs} data={typeof answer === 'string' ? answer : '0x'} />
        <OriginMark origin={origin} />
      </>
    );
  };
  return (
    <ActionForm
      fields={argumentFields(described.inputs)}
      action="Call"
      label={showName(described.signature)}
      run={run}
      describe={(error) => describeFailure(error, known.errors)}
    />
  );
}

function WriteForm({
  address,
  described,
  known,
  accounts,
}: {
  readonly address: Hex;
  readonly described: ContractFunction;
  readonly known: ContractInterface;
  readonly accounts: readonly Hex[];
}) {
  const profile = shownProfile.value;
  const fields = [
    useSenderField(accounts),
    ...argumentFields(described.inputs),
    ...(described.isPayable ? amountFields(profile, words.value.value, '0') : []),
  ];
  const run = (values: Values) => {
    const value = described.isPayable ? amountOf(values, profile) : 0n;
    const sending = {
      to: address,
      data: encodeArguments(described.selector, described.inputs, values),
      value,
    };
    return sendAndShow(values.sender ?? '', sending, known);
  };
  return (
    <ActionForm
      fields={fields}
      action="Send"
      label={showName(described.signature)}
      run={async (values) => run(values)}
      describe={(error) => describeFailure(error, known.errors)}
    />
  );
}

function Outputs({ outputs, data }: { readonly outputs: readonly AbiParameter[]; readonly data: string }) {
  if (outputs.length === 0) return <p>It returned nothing.</p>;
  try {
    const values = decodeParameters(outputs, fromHex(data === '' ? '0x' : data) ?? new Uint8Array());
    return (
      <dl class="outputs">
        {outputs.map(({ name, type }, index) => (
          <div key={`${index}-${name}`}>
            <dt>
              {name === '' ? `[${index}]` : showName(name)} <small>{showName(typeName(type))}</small>
            </dt>
            <dd class="mono wrapped">{showValue(type, values[index] ?? '')}</dd>
          </div>
        ))}
      </dl>
    );
  } catch (error) {
    if (!(error instanceof AbiError)) throw error;
    return (
      <p class="problem wrapped">
        What it returned is no encoding of its outputs ({error.message}): {data.slice(0, 200)}
        {data.length > 200 && '…'}
      </p>
    );
  }
}

/** The contract's name in an artifact of Hardhat; an interface alone has none. */
function nameOf(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null || !('contractName' in json)) return undefined;
  return typeof json.contractName === 'string' ? json.contractName : undefined;
}
