import type { OpenRpcDocument } from '../src/rpc/index.ts';

/** Fills the template of the list of methods: see methods-document.js. */
export function writeMethods(template: string, openrpc: OpenRpcDocument): string;
