/**
 * Writes docs/limits.md, and the tables of limits of SECURITY.md, out of the sources: `npm run docs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readLimits, sourcesOf, writeLimits, writeLimitTables } from './limits-document.js';

const limits = readLimits(sourcesOf(new URL('../src/', import.meta.url)));
const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const template = read('security-limits.template.txt');
writeFileSync(new URL('../docs/limits.md', import.meta.url), writeLimits(read('limits.template.md'), limits));
writeFileSync(
  new URL('../SECURITY.md', import.meta.url),
  writeLimitTables(read('../SECURITY.md'), template, limits),
);
