/** Folders in which compilers leave what they say of contracts. */

export { readFolder } from './read-folder.ts';
export { watchFolder } from './watch-folder.ts';
