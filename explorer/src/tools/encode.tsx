import {
  AbiError,
  type AbiParameter,
  concat,
  decodeParameters,
  encodeParameters,
  fromHex,
  parseValue,
  readType,
  selectorOf,
  showValue,
  toHex,
  typeName,
  typeNames,
} from '../abi/index.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Section } from '../parts/layout.tsx';
import { ActionForm, type Field, FieldError, type Values } from './action-form.tsx';

const SIGNATURE: Field = {
  name: 'signature',
  label: 'Function, or types',
  hint: 'transfer(address,uint256), or (address,uint256)',
  input: { kind: 'wide' },
};

const ENCODE: readonly Field[] = [
  SIGNATURE,
  {
    name: 'values',
    label: 'Values',
    hint: 'between parentheses: (1.2.1024, 1_000), texts in quotation marks',
    input: { kind: 'lines' },
  },
];

const DECODE: readonly Field[] = [
  SIGNATURE,
  { name: 'data', label: 'Data', hint: '0x…, with the selector of the function', input: { kind: 'lines' } },
];

const SELECTOR_BYTES = 4;

/** Encodes values by the types of a function, and decodes them again. */
export function EncodeTool() {
  return (
    <Section title="ABI encoding">
      <ActionForm fields={ENCODE} action="Encode" label="ABI" run={async (values) => encode(values)} />
      <ActionForm fields={DECODE} action="Decode" label="ABI" run={async (values) => decode(values)} />
    </Section>
  );
}

/** A function by its name and types; of types alone there is no selector. */
function readSignature(values: Values): {
  readonly parameters: readonly AbiParameter[];
  readonly selector: Uint8Array;
} {
  const text = (values.signature ?? '').trim().replace(/^function\s+/, '');
  const start = text.indexOf('(');
  if (start < 0) throw new FieldError('signature', 'expected types in parentheses');
  const name = text.slice(0, start).trim();
  const type = ofField('signature', () => readType(text.slice(start)));
  if (type.kind !== 'tuple')
    throw new FieldError('signature', 'expected types in parentheses, and nothing behind');
  const selector = name === '' ? undefined : fromHex(selectorOf(`${name}${typeNames(type.members)}`));
  return { parameters: type.members, selector: selector ?? new Uint8Array() };
}

function encode(values: Values) {
  const { parameters, selector } = readSignature(values);
  const text = (values.values ?? '').trim();
  const list = text.startsWith('(') || text.startsWith('[') ? text : `(${text})`;
  const type = { kind: 'tuple', members: parameters } as const;
  const data = ofField('values', () => {
    const read = parseValue(type, list, 'values');
    return toHex(concat([selector, encodeParameters(parameters, Array.isArray(read) ? read : [])]));
  });
  return (
    <>
      {selector.length > 0 && <p>Selector: {toHex(selector)}</p>}
      <p class="mono wrapped">
        {data} <CopyButton text={data} what="the data" />
      </p>
    </>
  );
}

function decode(values: Values) {
  const { parameters, selector } = readSignature(values);
  const bytes = fromHex((values.data ?? '').trim());
  if (bytes === undefined) throw new FieldError('data', 'expected 0x and two digits for each byte');
  const begin = bytes.subarray(0, SELECTOR_BYTES);
  if (selector.length > 0 && toHex(begin) !== toHex(selector)) {
    throw new FieldError('data', `it begins with ${toHex(begin)}, and the selector is ${toHex(selector)}`);
  }
  const read = ofField('data', () => decodeParameters(parameters, bytes.subarray(selector.length)));
  return (
    <dl class="outputs">
      {parameters.map(({ type }, index) => (
        <div key={`${index}-${typeName(type)}`}>
          <dt>{typeName(type)}</dt>
          <dd class="mono wrapped">{showValue(type, read[index] ?? '')}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Adds the name of the field to an error. */
function ofField<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof AbiError) throw new FieldError(field, error.message);
    throw error;
  }
}
