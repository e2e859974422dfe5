/** The hash functions of the tables' indexes. */

/** Mixes all bits of a number into its lower 32 (the finalizer of SplitMix64). */
@inline
function mix(value: u64): u32 {
  const half = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  const whole = (half ^ (half >> 27)) * 0x94d049bb133111eb;
  return <u32>(whole ^ (whole >> 31));
}

/** Hashes a word. */
@inline
export function hashWord(word: usize): u32 {
  return hashLimbs(load<u64>(word), word, 0);
}

/** Consecutive keys with adjacent cells: the cells share a line of the cache. */
const RUN_LENGTH: u64 = 16;

/** Hashes the key of a slot and its account. Keys of a run are adjacent, since arrays and structs are read in order. */
@inline
export function hashKey(key: usize, account: usize): u32 {
  const low = load<u64>(key);
  const hash = hashLimbs(low & ~(RUN_LENGTH - 1), key, account);
  return (hash & ~(<u32>RUN_LENGTH - 1)) | (<u32>low & (<u32>RUN_LENGTH - 1));
}

/** Hashes a word with a different lowest limb, and a number. */
@inline
function hashLimbs(lowest: u64, word: usize, number: u64): u32 {
  return mix(
    ((lowest ^ (number * 0x9e3779b97f4a7c15)) * 0xff51afd7ed558ccd) ^
      (load<u64>(word, 8) * 0xc4ceb9fe1a85ec53) ^
      ((load<u64>(word, 16) + rotl<u64>(load<u64>(word, 24), 32)) * 0x9e3779b97f4a7c15),
  );
}
