'use strict';
const { buildModule } = require('@nomicfoundation/hardhat-ignition/modules');

/** Two deployments, a call, and an argument out of an event. */
module.exports = buildModule('Tools', (builder) => {
  const counter = builder.contract('Counter', [40n]);
  const factory = builder.contract('Factory');
  const added = builder.call(counter, 'add', [2n]);
  const made = builder.call(factory, 'make', [3n], { after: [added] });
  const address = builder.readEventArgument(made, 'Made', 'child');
  const child = builder.contractAt('Counter', address, { id: 'Child' });
  builder.call(child, 'add', [1n], { id: 'addToChild' });
  return { counter, factory, child };
});
