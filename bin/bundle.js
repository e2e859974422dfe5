/** The bundle of the program and the library, which the modules of the package share. */

const { join } = require('node:path');
const { loadProgram } = require('./load-program.js');

module.exports = loadProgram(join(__dirname, '../build/program/ledgerd.cjs'));
