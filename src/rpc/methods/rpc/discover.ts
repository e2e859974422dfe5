import { namedShape, type Shape } from '../../../view/index.ts';
import type { OpenRpcDocument } from '../../description/openrpc-document.ts';
import { defineMethod } from '../../method.ts';

/** The document is checked against the meta-schema of OpenRPC by a test; here only that it is one. */
const documentShape: Shape<OpenRpcDocument> = namedShape(
  'OpenRpcDocument',
  { title: 'OpenRPC document' },
  { describe: () => ({ type: 'object', required: ['openrpc', 'info', 'methods'] }) },
);

export const discover = defineMethod({
  name: 'rpc_discover',
  // The name that OpenRPC gives it.
  aliases: ['rpc.discover'],
  summary: 'Describes this interface: an OpenRPC 1.3 document, which `GET /openrpc.json` serves as well.',
  section: 'description',
  work: 'turn',
  parameters: [],
  result: documentShape,
  differences: 'Ethereum has no such method.',
  handler: ({ describe }) => describe(),
});
