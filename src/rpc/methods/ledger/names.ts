import { shape } from '../../../formatters/index.ts';
import { type Address, delegationOf, toPrefixedHex } from '../../../protocol/index.ts';
import { defineMethod, defineStateQuery, type MethodDefinition } from '../../method.ts';
import type { MethodContext } from '../../method-context.ts';
import { addressSchema } from '../../parameters/schema.ts';
import { FACETS_MAX, proxiesFrom } from '../../standards/proxy.ts';
import { tokenAt } from '../../standards/token.ts';

const orNull = (address: Address | undefined) => (address === undefined ? null : toPrefixedHex(address));

const proxyShape = shape.object({
  address: shape.address,
  proxyType: shape.described(
    shape.text,
    "By Sourcify's names: `EIP1167Proxy`, `EIP1967Proxy`, `PROXIABLEProxy` (ERC-1822), `ZeppelinOSProxy`, " +
      '`GnosisSafeProxy`, `DiamondProxy`; and `EIP1967BeaconProxy`, `EIP7702Account`.',
  ),
  implementations: shape.described(shape.array(shape.address, FACETS_MAX), 'Several for a diamond.'),
  admin: shape.nullable(shape.address),
  beacon: shape.nullable(shape.address),
});

const getProxy = defineStateQuery({
  name: 'ledger_getProxy',
  summary:
    'Returns the contracts whose code runs at an address, from proxy to proxy, at most three levels; null for an ' +
    'address that is no proxy.',
  parameters: [{ name: 'address', schema: addressSchema }],
  beforeFork: 'local',
  result: shape.nullable(
    shape.object({
      proxies: shape.described(
        shape.array(proxyShape),
        'Each is the first implementation of the previous one.',
      ),
      cycle: shape.described(shape.flag, 'True if the last one leads back to one of them.'),
    }),
  ),
  differences:
    'Ethereum has no such method. A slot counts if the address in it has code, in the latest state; a contract that ' +
    'forwards calls in another way is no proxy.',
  handler: ({ ledger }, [address]) => {
    const { proxies, isCycle } = proxiesFrom(ledger, address);
    if (proxies.length === 0) return null;
    return {
      proxies: proxies.map(({ address: at, proxyType, implementations, admin, beacon }) => ({
        address: toPrefixedHex(at),
        proxyType,
        implementations: implementations.map(toPrefixedHex),
        admin: orNull(admin),
        beacon: orNull(beacon),
      })),
      cycle: isCycle,
    };
  },
});

const descriptionShape = shape.object({
  kind: shape.described(
    shape.text,
    '`account`, `delegatedAccount`, `preinstalled`, `token`, `proxy`, `contract` or `other`.',
  ),
  name: shape.described(shape.nullable(shape.text), 'Null if none is known.'),
  nameSource: shape.described(
    shape.nullable(shape.text),
    '`artifact`, `preinstalled`, `account`, `implementation` (the name is that of the code it runs) or `token` (the ' +
      'text of a stranger).',
  ),
  symbol: shape.described(shape.nullable(shape.text), 'Of a token: text of a stranger.'),
  implementation: shape.described(shape.nullable(shape.address), 'The code that a proxy or an account runs.'),
});

const describe = defineMethod({
  name: 'ledger_describe',
  summary: 'Returns what an address is, its name, and the source of the name.',
  section: 'state',
  scheduling: 'turn',
  parameters: [{ name: 'address', schema: addressSchema }],
  beforeFork: 'local',
  result: descriptionShape,
  differences: 'Ethereum has no such method. Nodes that are not in test mode know no artifacts.',
  handler: (context, [address]) => {
    const { ledger } = context;
    const token = tokenAt(ledger, address);
    const implementation = proxiesFrom(ledger, address).proxies.at(-1)?.implementations[0];
    const known = knownName(context, address);
    const inner = implementation && knownName(context, implementation);
    const named =
      known ??
      (inner && { name: inner.name, source: 'implementation' }) ??
      (token?.name === undefined ? undefined : { name: token.name, source: 'token' });
    return {
      kind: kindOf(context, address, known, token !== undefined, implementation !== undefined),
      name: named?.name ?? null,
      nameSource: named?.source ?? null,
      symbol: token?.symbol ?? null,
      implementation: orNull(implementation),
    };
  },
});

interface KnownName {
  readonly name: string;
  readonly source: 'artifact' | 'preinstalled' | 'account';
}

/** Returns the name of an address that does not come from its contract; undefined for none. */
function knownName(
  { ledger, artifacts, preinstallName }: MethodContext,
  address: Address,
): KnownName | undefined {
  const code = ledger.accounts.codeAt(address);
  const account = ledger.accounts.accountByAddress(address);
  if (account !== undefined) return { name: account.name, source: 'account' };
  if (code.length === 0) return undefined;
  const artifact = artifacts?.contractAt(address, code);
  if (artifact !== undefined) return { name: artifact.name, source: 'artifact' };
  const name = preinstallName?.(address);
  return name === undefined ? undefined : { name, source: 'preinstalled' };
}

function kindOf(
  { ledger: { accounts } }: MethodContext,
  address: Address,
  known: KnownName | undefined,
  isToken: boolean,
  isProxy: boolean,
): string {
  const code = accounts.codeAt(address);
  if (delegationOf(code) !== undefined) return 'delegatedAccount';
  if (known?.source === 'account') return 'account';
  if (code.length === 0) return 'other';
  if (known?.source === 'preinstalled') return 'preinstalled';
  if (isToken) return 'token';
  return isProxy ? 'proxy' : 'contract';
}

/** The methods that name contracts, and the code that they run. */
export const NAME_METHODS: readonly MethodDefinition[] = [getProxy, describe];
