import { shape } from '../../../formatters/index.ts';
import { toPrefixedHex } from '../../../protocol/index.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema, hashSchema, named, optional } from '../../parameters/schema.ts';
import { arrayOf, objectOf } from '../../parameters/structures.ts';

/** Accounts, and slots of each, whose origins one call of `ledger_getOrigins` returns. */
const ORIGIN_ACCOUNTS_MAX = 50;
const ORIGIN_SLOTS_MAX = 100;

const entriesSchema = arrayOf(
  named(
    'OriginRequest',
    { title: 'account and slots' },
    objectOf({
      address: addressSchema,
      storageKeys: optional(arrayOf(hashSchema, { most: ORIGIN_SLOTS_MAX, unit: 'slots' })),
    }),
  ),
  { most: ORIGIN_ACCOUNTS_MAX, unit: 'accounts' },
);

const originShape = shape.described(shape.text, '`local` or `remote`.');

const originsShape = shape.array(
  shape.named(
    'Origin',
    { title: 'origins of an account and of slots' },
    shape.object({
      address: shape.address,
      account: shape.described(
        shape.text,
        '`local` or `remote`: of balance, nonce and the hash of the code.',
      ),
      code: shape.described(shape.nullable(shape.text), '`local` or `remote`; null without code.'),
      storage: shape.described(shape.array(originShape), 'In the order of the request.'),
    }),
  ),
);

const originOf = (isRemote: boolean): string => (isRemote ? 'remote' : 'local');

/** The method that reports which entries of the state of a fork are those of its remote chain. */
export const getOrigins = defineMethod({
  name: 'ledger_getOrigins',
  summary:
    'Returns, for accounts and slots, if their latest values are of this chain, or on a fork those of the remote ' +
    'chain at the block of the fork. The parameter has the form of an access list (EIP-2930).',
  section: 'state',
  parameters: [{ name: 'entries', schema: entriesSchema }],
  beforeFork: 'local',
  result: originsShape,
  differences: 'Ethereum has no such method. All is `local` on a chain that is no fork.',
  handler: ({ ledger: { origins } }, [entries]) =>
    entries.map(({ address, storageKeys = [] }) => {
      const isRemoteCode = origins.isRemoteCode(address);
      return {
        address: toPrefixedHex(address),
        account: originOf(origins.isRemoteAccount(address)),
        code: isRemoteCode === undefined ? null : originOf(isRemoteCode),
        storage: storageKeys.map((slot) => originOf(origins.isRemoteSlot(address, slot))),
      };
    }),
});
