/** Number types of AssemblyScript, so that both compilers can read `assembly/layout.ts` and `assembly/halt.ts`. */

declare type i32 = number;
declare type u32 = number;
declare type usize = number;
