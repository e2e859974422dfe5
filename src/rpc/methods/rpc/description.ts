import { type Shape, shape } from '../../../formatters/index.ts';
import type { OpenRpcDocument } from '../../description/openrpc-document.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';

/** The document is checked against the meta-schema of OpenRPC by a test; here only that it is one. */
const documentShape: Shape<OpenRpcDocument> = shape.named(
  'OpenRpcDocument',
  { title: 'OpenRPC document' },
  { describe: () => ({ type: 'object', required: ['openrpc', 'info', 'methods'] }) },
);

const discover = defineMethod({
  name: 'rpc_discover',
  // The name that OpenRPC gives it.
  aliases: ['rpc.discover'],
  summary: 'Returns the OpenRPC 1.3 document of this interface, which is also at `GET /openrpc.json`.',
  section: 'description',
  beforeFork: 'local',
  result: documentShape,
  differences: 'Ethereum has no such method.',
  handler: ({ describe }) => describe(),
});

/** The end of the module in the name of a method. */
const MODULE_END = /[_.]/;

const modules = defineMethod({
  name: 'rpc_modules',
  summary: 'Returns the modules of the methods of the node, each with a version.',
  section: 'description',
  beforeFork: 'local',
  result: shape.named('ModuleVersions', { title: 'versions by module' }, shape.record(shape.text)),
  differences: 'Every version is 1.0.',
  handler: ({ servedMethods }) =>
    Object.fromEntries(Array.from(servedMethods(), (name) => [name.split(MODULE_END)[0], '1.0'])),
});

/** The methods by which the interface describes itself. */
export const DESCRIPTION_METHODS: readonly MethodDefinition[] = [discover, modules];
