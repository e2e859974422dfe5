import type { Ledger, SetBalance } from '../../ledger/index.ts';
import { type Address, bytesToHex } from '../../protocol/index.ts';

/**
 * Sets the balances of addresses without a block, all of them or none.
 *
 * @param next gives the balance of an address from the one that it has, both in Wei; what it throws is thrown
 * @throws what `Ledger.patch` throws
 */
export function patchBalances(
  ledger: Ledger,
  addresses: readonly Address[],
  next: (balance: bigint, address: Address) => bigint,
): void {
  if (addresses.length === 0) return;
  ledger.patch(() => {
    const balances = new Map<string, SetBalance>();
    for (const address of addresses) {
      const name = bytesToHex(address);
      const balance = balances.get(name)?.balance ?? ledger.weiBalanceOf(address);
      balances.set(name, { address, balance: next(balance, address) });
    }
    return { type: 'balances', balances: [...balances.values()] };
  });
}
