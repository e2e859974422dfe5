import { CallError } from './errors.ts';
import { fieldsOf, optional, textOf } from './reading.ts';
import { callIfKnown } from './rpc.ts';

/** The identifier of the account with a name; undefined for none. @throws as `call` */
export async function accountNamed(name: string): Promise<string | undefined> {
  try {
    const found = await callIfKnown('ledger_getAccount', name);
    return optional(found, (account) => textOf(fieldsOf(account).id));
  } catch (error) {
    // A text that can be no name at all.
    if (error instanceof CallError && error.code === INVALID_PARAMETERS) return undefined;
    throw error;
  }
}

const INVALID_PARAMETERS = -32602;
