import { z } from 'zod';
import type { OpenRpcDocument } from '../../description/openrpc-document.ts';
import { defineMethod, type MethodContext } from '../../method.ts';

/** The document is checked against the meta-schema of OpenRPC by a test; here only that it is one. */
const documentResult = z
  .custom<OpenRpcDocument>((value) => typeof value === 'object' && value !== null && 'openrpc' in value)
  .meta({
    id: 'OpenRpcDocument',
    title: 'OpenRPC document',
    type: 'object',
    required: ['openrpc', 'info', 'methods'],
  });

const description = {
  summary: 'Describes this interface: an OpenRPC 1.3 document, which `GET /openrpc.json` serves as well.',
  section: 'description',
  parameters: [],
  result: documentResult,
  differences: 'Ethereum has no such method.',
  handler: ({ describe }: MethodContext) => describe(),
} as const;

export const discover = defineMethod({ ...description, name: 'rpc_discover' });

/** The name that OpenRPC gives it. */
export const discoverByOpenRpc = defineMethod({ ...description, name: 'rpc.discover' });
