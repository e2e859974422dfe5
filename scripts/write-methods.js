/**
 * Writes docs/methods.md out of the program, which has to be built: `npm run docs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { describeInterface, ETHEREUM_INTERFACE, ETHEREUM_METHODS, METHODS } from '../dist/rpc/index.js';
import { writeMethods } from './methods-document.js';

const template = readFileSync(new URL('methods.template.md', import.meta.url), 'utf8');
// The list shows no version of the program.
const text = writeMethods(
  template,
  describeInterface(METHODS.values(), ''),
  describeInterface(ETHEREUM_METHODS.values(), '', ETHEREUM_INTERFACE),
);
writeFileSync(new URL('../docs/methods.md', import.meta.url), text);
