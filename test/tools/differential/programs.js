/** Small contracts by purpose: their runtime code in hexadecimal, and the slots that they write. */
const RUNTIMES = {
  // Counts in slot 0 and logs its payments.
  counter: '5f546001015f55345f5260205fa000',
  // Stores the second word of its input at the slot that the first one names, and logs it with two topics.
  writer: '6020355f355560205f52600160025f60206000a200',
  // Pays half of its balance to the caller.
  payer: '5f5f5f5f60024704335af15f5500',
  // CREATE without code, then CREATE2 without code; the addresses go to slots 0 and 1.
  factory: '5f5f5ff05f5560035f5f5ff560015500',
  reverting: '60aa5f5260205ffd',
  burning: 'fe',
  // Destroys itself in favour of the caller.
  destroying: '33ff',
  // Calls the contract at its input's address with half of its gas, and stores the success.
  calling: '5f5f5f5f5f5f3560025a04f15f5500',
  // Stores its transaction context in slots 0 to 5; not GASPRICE, which has no tip on ledgerd.
  seeing: '345f55336001553260025548600355366004554760055500',
  // Uses a transient counter, a hash and a copy of its code.
  working: '5f5c6001015f5d5f5c5f5538600052602060002060015538600060003960005160025500',
};

/** Code that logs BLOBHASH of 0, of 1 and of the first word of its input, and BLOBBASEFEE. */
export const BLOB_READER = '0x5f495f526001496020525f35496040524a60605260805fa000';

/** @param {string} runtime */
const deploying = (runtime) => {
  const size = (runtime.length / 2).toString(16).padStart(2, '0');
  return `60${size}600c60003960${size}6000f3${runtime}`;
};

/** Init code of each of them, and of two that create nothing. */
export const INIT_CODES = [
  ...Object.values(RUNTIMES).map((runtime) => `0x${deploying(runtime)}`),
  '0x5f5ffd',
  '0xfe',
  `0x${deploying('')}`,
];

/** Slots that are compared of every contract. */
export const SLOTS = ['0x0', '0x1', '0x2', '0x3', '0x4', '0x5'];
