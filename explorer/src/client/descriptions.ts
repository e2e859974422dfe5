import { fieldsOf, type Hex, hexOf, listOf, optional, textOf } from './reading.ts';
import { call } from './rpc.ts';
import { readTokenAt, type Token } from './tokens.ts';

/** Kind and name of an address, as the node knows them. */
interface Description {
  /** As of `ledger_describe`: `token`, `proxy`, `preinstalled` and others. */
  readonly kind: string;
  readonly name: string | undefined;
  /** `artifact`, `preinstalled`, `account`, `implementation`, or `token` for the text of a stranger. */
  readonly nameSource: string | undefined;
}

async function descriptionOf(address: Hex): Promise<Description> {
  const fields = fieldsOf(await call('ledger_describe', address));
  return {
    kind: textOf(fields.kind),
    name: optional(fields.name, textOf),
    nameSource: optional(fields.nameSource, textOf),
  };
}

/** Roles of a contract, by its code and its answers. */
export interface Standards {
  readonly description: Description | undefined;
  readonly token: Token | undefined;
  /** The code that a proxy runs. */
  readonly implementations: readonly Hex[];
}

/** Reads what a contract is. @throws as `call` */
export async function standardsOf(address: Hex): Promise<Standards> {
  const [description, token, implementations] = await Promise.all([
    descriptionOf(address),
    readTokenAt(address),
    implementationsOf(address),
  ]);
  return { description, token, implementations };
}

async function implementationsOf(address: Hex): Promise<readonly Hex[]> {
  const found = optional(await call('ledger_getProxy', address), fieldsOf);
  const last = listOf(found?.proxies ?? []).at(-1);
  return last === undefined ? [] : listOf(fieldsOf(last).implementations).map(hexOf);
}
