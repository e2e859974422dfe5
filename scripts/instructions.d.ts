/** The tables of the EVM's instructions, and the numbers of the fused ones: see instructions.js. */
export const OPCODES: readonly { readonly name: string; readonly number: number }[];
export const FUSIONS: readonly { readonly sequence: string }[];
export const INVALID: number;
export function numberFusions(
  opcodes: readonly { readonly number: number }[],
  fusions: readonly { readonly sequence: string }[],
): Map<string, number>;
