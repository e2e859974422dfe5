/** The hash functions of the tables' indexes. */

/** Mixes all bits of a number into its lower 32 (the finalizer of SplitMix64). */
@inline
function mix(value: u64): u32 {
  const half = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  const whole = (half ^ (half >> 27)) * 0x94d049bb133111eb;
  return <u32>(whole ^ (whole >> 31));
}

/** Hashes a word together with a number. */
@inline
export function hashWord(word: usize, number: u64): u32 {
  return mix(
    ((load<u64>(word) ^ (number * 0x9e3779b97f4a7c15)) * 0xff51afd7ed558ccd) ^
      (load<u64>(word, 8) * 0xc4ceb9fe1a85ec53) ^
      ((load<u64>(word, 16) + rotl<u64>(load<u64>(word, 24), 32)) * 0x9e3779b97f4a7c15),
  );
}
