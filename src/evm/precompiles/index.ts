/** The precompiled contracts. */

export { type NamedPrecompile, precompilesOf } from './names.ts';
export { precompileAt } from './registry.ts';
