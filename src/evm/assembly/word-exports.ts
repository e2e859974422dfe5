/** The arithmetic of words as a separate module, for its tests. */

export * from './word';
export * from './word-multiplication';
export * from './modular-multiplication';
export * from './word-division';
export * from './word-exponentiation';
