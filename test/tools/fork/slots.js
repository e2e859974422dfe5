/** Contracts of the remote chain, as code: their slots are read and written one after the other. */

import { call } from '../../rpc-client.js';

/** Increments the first slots, as many as the first word of its data says, and returns their sum. */
const SLOTS = '0x5f5f5b815401908054600101815560010190815f35116002575f5260205ff3';
/** Calls contracts, whose addresses follow that number, as compilers do: only those with code. */
const SWEEP = '0x60205b80353b600c575f5ffd5b5f355f5260205f60205f5f85355af15060200136811060025700';

const SWEEP_ADDRESS = `0x${'5e'.repeat(20)}`;

/** @param {number} index */
function addressOf(index) {
  return `0x${'51'.repeat(18)}${index.toString(16).padStart(4, '0')}`;
}

/** @param {string} hex */
function word(hex) {
  return hex.padStart(64, '0');
}

/**
 * Places contracts with slots on a chain.
 *
 * @param {string} url
 * @param {number} contracts
 * @param {number} slots
 */
export async function placeContracts(url, contracts, slots) {
  await call(url, 'anvil_setCode', SWEEP_ADDRESS, SWEEP);
  for (let index = 0; index < contracts; index += 1) {
    await call(url, 'anvil_setCode', addressOf(index), SLOTS);
    for (let slot = 0; slot < slots; slot += 1) {
      await call(
        url,
        'anvil_setStorageAt',
        addressOf(index),
        `0x${word(slot.toString(16))}`,
        `0x${word('7')}`,
      );
    }
  }
  await call(url, 'evm_mine');
}

/**
 * Returns the call that touches slots of contracts.
 *
 * @param {number} from the first contract
 * @param {number} contracts
 * @param {number} slots
 */
export function sweep(from, contracts, slots) {
  const addresses = Array.from({ length: contracts }, (_, index) => word(addressOf(from + index).slice(2)));
  return { to: SWEEP_ADDRESS, data: `0x${word(slots.toString(16))}${addresses.join('')}` };
}
