import type { JsonSchema, SchemaComponents } from '../../json/schema.ts';
import { COMMON_ERRORS, type DescribedError } from '../description/described-errors.ts';
import type {
  DocumentError,
  DocumentMethod,
  DocumentTag,
  ExamplePairing,
  OpenRpcDocument,
  Reference,
  ShapeDifference,
} from '../description/openrpc-document.ts';
import { SECTIONS, type Section } from '../description/sections.ts';
import { ETHEREUM_SHAPE_DIFFERENCES, SHAPE_DIFFERENCES } from '../description/shape-differences.ts';
import { ETHEREUM_UNIMPLEMENTED, UNIMPLEMENTED } from '../description/unimplemented.ts';
import { type MethodDefinition, namesOf } from '../method.ts';
import type { Parameter } from '../parameters/schema.ts';

export interface InterfaceDescription {
  readonly description: string;
  /** URL at a node with the default address. */
  readonly url: string;
  readonly shapeDifferences: readonly ShapeDifference[];
  readonly unimplemented: ReadonlyMap<string, string>;
}

export const LEDGER_INTERFACE: InterfaceDescription = {
  description: 'The JSON-RPC 2.0 interface of a native ledger node for Ethereum tools.',
  url: 'http://127.0.0.1:8545',
  shapeDifferences: SHAPE_DIFFERENCES,
  unimplemented: UNIMPLEMENTED,
};

export const ETHEREUM_INTERFACE: InterfaceDescription = {
  description:
    'The JSON-RPC 2.0 interface of a ledger node for wallets and tools of Ethereum, in the shapes of its Execution ' +
    'APIs; on chains whose genesis has Ethereum.',
  url: 'http://127.0.0.1:8545/ethereum',
  shapeDifferences: ETHEREUM_SHAPE_DIFFERENCES,
  unimplemented: ETHEREUM_UNIMPLEMENTED,
};

const OPENRPC_VERSION = '1.3.2';

const SECTION_NAMES = Object.keys(SECTIONS) as Section[];

/** Describes methods as an OpenRPC 1.3 document, which depends on its arguments alone. */
export function describeInterface(
  methods: Iterable<MethodDefinition>,
  version: string,
  about: InterfaceDescription = LEDGER_INTERFACE,
): OpenRpcDocument {
  const components: SchemaComponents = new Map();
  // A registry has a method once for each of its names.
  const ordered = bySection([...new Set(methods)]);
  const described = ordered.flatMap((method) => describeMethod(method, components));
  const names = new Set(described.map(({ name }) => name));
  return {
    openrpc: OPENRPC_VERSION,
    info: { title: 'ledgerd', version, description: about.description, license: { name: 'MIT' } },
    servers: [{ name: 'default', url: about.url, summary: 'The default address of a node.' }],
    methods: described,
    components: {
      schemas: inOrder(components),
      errors: errorComponents(ordered),
      tags: Object.fromEntries(SECTION_NAMES.map((section) => [section, tagOf(section)])),
    },
    'x-shape-differences': about.shapeDifferences,
    'x-not-implemented': Object.fromEntries([...about.unimplemented].filter(([name]) => !names.has(name))),
  };
}

/** Returns the methods by section, and within a section in the order of the registry. */
function bySection(methods: readonly MethodDefinition[]): MethodDefinition[] {
  return SECTION_NAMES.flatMap((section) => methods.filter((method) => method.section === section));
}

/** Describes a method under each of its names. */
function describeMethod(method: MethodDefinition, components: SchemaComponents): DocumentMethod[] {
  const { name, summary, section, parameters, result, errors = [], differences } = method;
  const description = {
    summary,
    tags: [{ $ref: `#/components/tags/${section}` }],
    paramStructure: 'by-position' as const,
    params: parameters.map((parameter) => describeParameter(parameter, components)),
    result: { name: 'result', schema: result.describe(components) },
    errors: errors.map(referenceTo),
    ...describeExample(method),
    ...(differences === undefined ? {} : { 'x-differences': differences }),
    ...(method.chains === 'test' ? { 'x-test-mode-only': true as const } : {}),
  };
  return namesOf(method).map((one) => ({
    name: one,
    ...description,
    ...(one === name ? {} : { 'x-alias-of': name }),
  }));
}

function describeParameter({ name, schema, summary }: Parameter<unknown>, components: SchemaComponents) {
  return {
    name,
    ...(summary === undefined ? {} : { summary }),
    required: schema.isOptional !== true,
    schema: schema.describe(components),
  };
}

function describeExample({ name, parameters, example }: MethodDefinition): { examples?: ExamplePairing[] } {
  if (example === undefined) return {};
  const params = example.parameters.map((value, index) => ({
    name: parameters[index]?.name ?? `parameter ${index + 1}`,
    value,
  }));
  return { examples: [{ name, params, result: { name: 'result', value: example.result } }] };
}

function inOrder(components: SchemaComponents): Record<string, JsonSchema> {
  return Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function errorComponents(methods: readonly MethodDefinition[]): Record<string, DocumentError> {
  const errors = [...COMMON_ERRORS, ...methods.flatMap((method) => method.errors ?? [])];
  return Object.fromEntries(errors.map(({ name, code, message }) => [name, { code, message }]));
}

function referenceTo({ name }: DescribedError): Reference {
  return { $ref: `#/components/errors/${name}` };
}

function tagOf(section: Section): DocumentTag {
  const { title: name, summary: description } = SECTIONS[section];
  return { name, description };
}
