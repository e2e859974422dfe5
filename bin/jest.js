/** `globalSetup: 'ledgerd/jest'`: jest takes the export itself, and an ES module its properties. */

const bundle = require('./bundle.js');

// @ts-expect-error The compiler sees the properties below as other exports.
module.exports = bundle.jest.default;
module.exports.default = bundle.jest.default;
module.exports.globalSetup = bundle.jest.globalSetup;
