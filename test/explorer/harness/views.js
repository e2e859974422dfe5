/** Every view of the explorer, on the chain that the suite made. */

/**
 * @typedef {object} View
 * @property {string} name
 * @property {string} route what follows `#/`
 * @property {RegExp} shows what stands on it
 */

/**
 * @param {import('./history.js').History} history
 * @returns {readonly View[]}
 */
export function viewsOf(history) {
  const block = history.head - 1;
  return [
    { name: 'overview', route: '', shows: /Latest blocks/ },
    { name: 'block', route: `block/${block}`, shows: new RegExp(String(block)) },
    { name: 'genesis block', route: 'block/0', shows: /0/ },
    { name: 'a block that is not there', route: 'block/999999', shows: /999.?999/ },
    { name: 'transfer', route: `tx/${history.transfer}`, shows: new RegExp(history.transfer.slice(2, 12)) },
    {
      name: 'transaction with logs',
      route: `tx/${history.bought}`,
      shows: new RegExp(history.bought.slice(2, 12)),
    },
    {
      name: 'failed transaction',
      route: `tx/${history.failed}`,
      shows: /TooMuch\(asked: 1000/,
    },
    { name: 'logs', route: `tx/${history.bought}/logs`, shows: /Ordered.*three apples/s },
    { name: 'calls', route: `tx/${history.bought}/calls`, shows: /Shop\.buy.*Stock\.take/s },
    { name: 'console', route: `tx/${history.bought}/console`, shows: /three apples/s },
    { name: 'state', route: `tx/${history.bought}/state`, shows: /1\.11\.\d/ },
    { name: 'steps', route: `tx/${history.bought}/steps`, shows: /PUSH1/ },
    { name: 'a transaction that is not there', route: `tx/0x${'12'.repeat(32)}`, shows: /./ },
    { name: 'blocks', route: 'blocks', shows: new RegExp(String(history.head)) },
    { name: 'transactions', route: 'transactions', shows: /buy|rename/ },
    { name: 'accounts', route: 'accounts', shows: /1\.2\.1024|0x/ },
    { name: 'contracts', route: 'contracts', shows: /Shop/ },
    { name: 'account', route: 'address/1.2.1024', shows: /1\.2\.1024/ },
    { name: 'contract', route: `address/${history.shop}`, shows: /1\.11\.\d/ },
    { name: 'forms', route: `address/${history.shop}/contract`, shows: /buy\(uint256,string\)/ },
    { name: 'events', route: `address/${history.shop}/events`, shows: /Ordered/ },
    { name: 'storage', route: `address/${history.shop}/storage`, shows: /0x/ },
    { name: 'code', route: `address/${history.shop}/code`, shows: /0x60/ },
    { name: 'an address of nobody', route: `address/0x${'ab'.repeat(20)}`, shows: /0x(ab)+/i },
    { name: 'pool', route: 'pool', shows: /[Pp]ool/ },
    { name: 'tools', route: 'tools', shows: /Faucet/ },
    { name: 'register', route: 'register', shows: /Register/ },
    { name: 'search for nothing', route: 'search/nothing-is-called-so', shows: /nothing-is-called-so/ },
    { name: 'no view', route: 'there/is/no/such/place', shows: /./ },
  ];
}
