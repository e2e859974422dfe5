/**
 * AssemblyScript's names of the numbers that fit a JavaScript number, so that the layout of the engine's
 * memory and its list of halts (`assembly/layout.ts`, `assembly/halt.ts`) can be read by both compilers.
 */

declare type i32 = number;
declare type u32 = number;
declare type usize = number;
