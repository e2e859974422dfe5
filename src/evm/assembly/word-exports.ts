/** The arithmetic of words as a module of its own, for its tests. */

export * from './word';
export * from './word-multiplication';
export * from './modular-product';
export * from './word-division';
export * from './word-exponentiation';
