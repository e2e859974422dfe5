/** The exports of the bundle: the program, and the library that a program imports. One file has most of both. */

export { main } from '../cli/index.ts';
export * as jest from './global-setup/jest.ts';
export * as vitest from './global-setup/vitest.ts';
export { Provider, ProviderRpcError, startTestNode } from './index.ts';
