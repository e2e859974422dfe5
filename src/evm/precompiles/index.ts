/** The precompiled contracts. */

export { signatureRecovery } from './ecrecover.ts';
export { type NamedPrecompile, precompilesOf } from './names.ts';
export { precompileAt } from './registry.ts';
export { notingResults, runRemembering, takeResults } from './remembered-runs.ts';
