/**
 * `import { startTestNode } from 'ledgerd'`, and `require` likewise: the names are written out, so that Node finds them
 * for an import.
 */

const { join } = require('node:path');
const { loadProgram } = require('./load-program.js');

const library = loadProgram(join(__dirname, '../build/program/ledgerd.cjs'));

exports.Provider = library.Provider;
exports.ProviderRpcError = library.ProviderRpcError;
exports.startTestNode = library.startTestNode;
