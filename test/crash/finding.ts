/** Something that must not be, with the words that a reader needs to look for its cause. */
export class CrashFinding extends Error {
  override readonly name = 'CrashFinding';
}
