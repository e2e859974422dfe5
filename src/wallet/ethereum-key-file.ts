import { z } from 'zod';
import { PASSPHRASE_CHARACTERS_MAX, WALLET_ACCOUNTS_MAX } from '../limits.ts';
import { bytesToHex, hexToBytes, type Seed, toSeed } from '../protocol/index.ts';
import { WalletFileError } from './errors.ts';
import { type KeptValue, keptFile, privateKeyText } from './kept-file.ts';
import { isValidSeed } from './keys.ts';

/** A key that was created for Ethereum's tools, as it is kept between two runs. */
export interface CreatedKey {
  readonly key: Seed;
  readonly passphrase: string;
}

const record = z.strictObject({
  privateKey: privateKeyText,
  passphrase: z.string().max(PASSPHRASE_CHARACTERS_MAX),
});

/** Keeps created keys, oldest first, in a file as {@link keptFile} does. */
export function ethereumKeyFileAt(path: string, epoch?: () => number): KeptValue<readonly CreatedKey[]> {
  return keptFile<readonly CreatedKey[], { keys: z.infer<typeof record>[] }>(
    path,
    {
      name: (file) => `the file ${file} with created keys`,
      content: z.strictObject({ keys: z.array(record).max(WALLET_ACCOUNTS_MAX) }),
      empty: [],
      read: ({ keys }) => keys.map(parseKey),
      write: (created) => ({
        keys: created.map(({ key, passphrase }) => ({ privateKey: bytesToHex(key), passphrase })),
      }),
    },
    epoch,
  );
}

function parseKey({ privateKey, passphrase }: z.infer<typeof record>, index: number): CreatedKey {
  const key = toSeed(hexToBytes(privateKey, 'privateKey'));
  if (!isValidSeed(key)) throw new WalletFileError(`privateKey ${index} is no secp256k1 key`);
  return { key, passphrase };
}
