/** Rules that differ between hard forks, and bounds that the host sets. */

/** Numbers of the hard forks, in the order of `HARDFORKS` on the host's side. */
export const LONDON: i32 = 0;
export const PARIS: i32 = 1;
export const SHANGHAI: i32 = 2;
export const CANCUN: i32 = 3;
export const PRAGUE: i32 = 4;
export const OSAKA: i32 = 5;

/** Address of P256VERIFY, apart from those of the other precompiled contracts (EIP-7951). */
const P256_ADDRESS: u64 = 0x100;

/** EIP-3651: the block's coinbase is warm from the beginning. */
export let coinbaseIsWarm: bool = false;
/** EIP-3860: init code has a maximum length and costs gas by the word. */
export let initCodeIsMetered: bool = false;
/** EIP-6780: SELFDESTRUCT destroys only contracts created in the same transaction. */
export let destroysOnlyNewContracts: bool = false;
/** EIP-7702: calls of an account with a delegation run the code of another account. */
export let followsDelegations: bool = false;
/** Last of the consecutive addresses of precompiled contracts, which start at 1. */
export let precompileCount: u64 = 0;
/** Address of a further precompiled contract; 0 for none. */
export let remotePrecompile: u64 = 0;
/** True while the host states which addresses run precompiled contracts: a call with overrides of them. */
export let precompilesAreOverridden: bool = false;
/** Last address that may run a precompiled contract, except the remote one; every address if they are overridden. */
export let precompileBound: u64 = 0;
/** Maximum bytes of the memories of all frames together; code that needs more runs out of gas. */
export let arenaBytes: u64 = 0;
/** Maximum bytes of a contract's code (EIP-170); of init code twice as many (EIP-3860). */
export let codeBytesMax: u64 = 0;

export function setRules(hardfork: i32, precompiles: u32, memoryBytes: u32, codeBytes: u32): void {
  coinbaseIsWarm = hardfork >= SHANGHAI;
  initCodeIsMetered = hardfork >= SHANGHAI;
  destroysOnlyNewContracts = hardfork >= CANCUN;
  followsDelegations = hardfork >= PRAGUE;
  precompileCount = precompiles;
  precompileBound = precompiles;
  remotePrecompile = hardfork >= OSAKA ? P256_ADDRESS : 0;
  arenaBytes = memoryBytes;
  codeBytesMax = codeBytes;
}

export function overridePrecompiles(areOverridden: bool): void {
  precompilesAreOverridden = areOverridden;
  precompileBound = areOverridden ? u64.MAX_VALUE : precompileCount;
}
