import { type Address, bytesToHex, hexToBytes, type Seed, toAddress, toSeed } from '../protocol/index.ts';

/** The default mnemonic of test mode, which tools for Ethereum share. */
export const TEST_MNEMONIC = 'test test test test test test test test test test test junk';

/**
 * Keys of the default settings, each with its address: a start with them computes no point of the curve, whose library
 * takes long to load.
 */
const KEYS_OF_SEED = `
  8eb28bc3c3c2331dc5cfb9d1937045d5e813902dd346fda06af27c75d8629b6a ce85d58ceed4d02233095a4ff68c0b493fd6a998
  a96ad3de2d277bc03fb4a69e82bcc0377ba9f7de2bacf684120065a59be24f5f debaff12f90fab4e900b909858740e32d2777151
  e35320b7c678dc884b6c0f4204a749b4c9c783ddb095acc67e8d434a9a7d21e4 66b7e6b68d61cd585f5832b2ccb77abf3483441d
  0fee813b48ba0c1289882f798c2a4316b7369089dd3a0240b54d700668601a1f e1a29db5ff21a687787c670f946b61c46074fc26
  e36f0d125199c56b4ff523d1961196670caabf4a519eb9d852a16fe27c5c8b85 099607c6c07af293d959f52d1a4251e4fae628cf
  05478be0cc741843c1741d64c5dc227e1f7e451917f2f6c260aca6b675b46d40 5136fd7c9b83317d5b82b2b932a8c7b4b6648929
  4bddbadf8b8346e103b72f5c81671962d4c06ccacff23b819c4c0917f3fa098a 4b106ce11613ca12107148e3d6fba30a18a8fa31
  965774e7d48bfceffbbe111ab332fec8bdafa3eee478b85e0c5bc9263c4a323b d51839a6f5539f2922ea94a5112a590d6bef1121
  968372a415b29dc3cd38db43fb1c55bf9484fa8af638a6267daa4e837c0a3e23 6437ab994d9db7ce8ba5e3832e81393b37792e65
  031042f79d06f22f3a9c0b8fd9a888c7ec5931c88c323b9ae29b0c55f53d3e78 46f73638096d018a55d2c2866cf31ade6d3135ff
`;
const KEYS_OF_MNEMONIC = `
  ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80 f39fd6e51aad88f6f4ce6ab8827279cfffb92266
  59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d 70997970c51812dc3a010c7d01b50e0d17dc79c8
  5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a 3c44cdddb6a900fa2b585dd299e03d12fa4293bc
  7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6 90f79bf6eb2c4f870365e785982e1f101e93b906
  47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a 15d34aaf54267db7d7c367839aaf71a00a2c6a65
  8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba 9965507d1a55bcc2695c58ba16fb37d819b0a4dc
  92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e 976ea74026e726554db657fa54763abd0c3a0aa9
  4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356 14dc79964da2c08b23698b3d3cc7ca32193d9955
  dbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97 23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f
  2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6 a0ee7a142d267c1f36714e4a8f75612f20a79720
`;

function pairsOf(table: string): [key: string, address: string][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' ') as [string, string]); // the tables above have two words in a line
}

const addresses = new Map([...pairsOf(KEYS_OF_SEED), ...pairsOf(KEYS_OF_MNEMONIC)]);

/** Returns the address of a default key; undefined for any other key. */
export function knownAddress(seed: Seed): Address | undefined {
  const address = addresses.get(bytesToHex(seed));
  return address === undefined ? undefined : toAddress(hexToBytes(address));
}

/** Returns the first keys of the default mnemonic and path; undefined if more are wanted than are known. */
export function knownKeys(count: number): Seed[] | undefined {
  const keys = pairsOf(KEYS_OF_MNEMONIC).slice(0, count);
  return keys.length < count ? undefined : keys.map(([key]) => toSeed(hexToBytes(key)));
}
