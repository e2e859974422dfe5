/**
 * `import { startTestNode } from 'ledgerd'`, and `require` likewise: the names are written out, so that Node finds them
 * for an import.
 */

const library = require('./bundle.js');

exports.Provider = library.Provider;
exports.ProviderRpcError = library.ProviderRpcError;
exports.startTestNode = library.startTestNode;
