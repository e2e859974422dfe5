/** The precompiled contracts. */

export { type NamedPrecompile, precompilesOf } from './names.ts';
export { precompileAt } from './registry.ts';
export { notingResults, runRemembering, takeResults } from './remembered-runs.ts';
