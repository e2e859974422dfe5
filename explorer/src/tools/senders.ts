import { useEffect, useState } from 'preact/hooks';
import { checksumAddress } from '../abi/index.ts';
import { type Receipt, receiptOf } from '../client/blocks.ts';
import { type Hex, hexOf, listOf, quantityOf } from '../client/reading.ts';
import { call } from '../client/rpc.ts';
import { RECEIPT_POLL_MS, RECEIPT_POLLS_MAX } from '../limits.ts';
import { facts } from '../live/chain-state.ts';
import { useIdentifiers } from '../parts/use-identifiers.ts';
import { shortened } from '../text/identifiers.ts';
import { type Field, FieldError } from './action-form.tsx';
import { quantity } from './reading-fields.ts';

/** A wallet that the browser has (EIP-1193). */
export interface BrowserWallet {
  request(request: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

declare global {
  interface Window {
    readonly ethereum?: BrowserWallet;
  }
}

/** A transaction to send; its amount is in the smallest unit of the page's profile. */
export interface Sending {
  readonly to: Hex | undefined;
  readonly data: Hex;
  readonly value: bigint;
}

/** The option of the browser's wallet. */
const WALLET = 'wallet';

/** Returns the accounts whose keys a test node has. */
export function useAccounts(): readonly Hex[] {
  const [accounts, setAccounts] = useState<readonly Hex[]>([]);
  const isTest = facts.value?.isTest === true;
  useEffect(() => {
    if (!isTest) return;
    call('eth_accounts').then(
      (answer) => setAccounts(listOf(answer).map(hexOf)),
      // Without accounts sending reports the reason.
      () => setAccounts([]),
    );
  }, [isTest]);
  return accounts;
}

/** Returns the field of the sender: accounts of the node, impersonated addresses, the browser's wallet. */
export function useSenderField(accounts: readonly Hex[], impersonated: readonly Hex[] = []): Field {
  const identifier = useIdentifiers([...accounts, ...impersonated]);
  const nameOf = (address: Hex): string => {
    const id = identifier(address);
    const digits = checksumAddress(address);
    return id === undefined ? digits : `${id} · ${shortened(digits, 6, 4)}`;
  };
  const choices = [
    ...accounts.map((address) => ({ value: address, label: nameOf(address) })),
    ...impersonated.map((address) => ({ value: address, label: `${nameOf(address)} (impersonated)` })),
    ...(window.ethereum === undefined ? [] : [{ value: WALLET, label: 'the wallet of this browser' }]),
  ];
  const none = [{ value: '', label: 'none: no wallet was found' }];
  return {
    name: 'sender',
    label: 'From',
    input: { kind: 'choice', choices: choices.length === 0 ? none : choices },
  };
}

/**
 * Sends from the selected sender, and returns the hash.
 * @throws FieldError, as `call`, and as the wallet
 */
export async function send(sender: string, { to, data, value }: Sending): Promise<Hex> {
  const transaction = { to, data, value: quantity(value) };
  if (sender === WALLET) return sendByWallet(transaction);
  if (sender === '') throw new FieldError('sender', 'there is nobody to send from');
  return hexOf(await call('eth_sendTransaction', { from: sender, ...transaction }));
}

async function sendByWallet(transaction: Readonly<Record<string, unknown>>): Promise<Hex> {
  const wallet = window.ethereum;
  if (wallet === undefined)
    throw new FieldError('sender', 'the wallet of the browser is no longer available');
  const [from] = listOf(await wallet.request({ method: 'eth_requestAccounts' })).map(hexOf);
  if (from === undefined) throw new FieldError('sender', 'the wallet gave this page no account');
  const chainId = quantityOf(await wallet.request({ method: 'eth_chainId' }));
  const expected = facts.value?.chainId;
  if (chainId !== expected) {
    throw new FieldError(
      'sender',
      `the wallet is on chain ${chainId}, and this is chain ${expected}: switch it`,
    );
  }
  const params = [{ from, ...transaction }];
  return hexOf(await wallet.request({ method: 'eth_sendTransaction', params }));
}

/** Waits until an operation is in a block; undefined where it still waits after a minute. @throws as `call` */
export async function receiptAfter(hash: Hex): Promise<Receipt | undefined> {
  for (let poll = 0; poll < RECEIPT_POLLS_MAX; poll += 1) {
    const receipt = await receiptOf(hash);
    if (receipt !== undefined) return receipt;
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_POLL_MS));
  }
  return undefined;
}
