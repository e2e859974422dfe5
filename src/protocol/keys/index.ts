/** Ed25519 keys and signatures, and their texts. */

export {
  createKeyPair,
  formatPublicKey,
  formatWif,
  type KeyPair,
  PUBLIC_KEY_PREFIX,
  parsePublicKey,
  parseWif,
  verifySignature,
} from './keys.ts';
