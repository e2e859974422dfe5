/** Bounds of what the page reads of interfaces and encodings that others made. */

/** How deep types, and the texts of values, may be nested. */
export const DEPTH_MAX = 16;
/** Parameters of one function, those of its tuples included. */
export const PARAMETERS_MAX = 256;
/** Entries of one interface that are read. */
export const ENTRIES_MAX = 2_048;
/** Values that one encoding holds, arrays and tuples counted as well. */
export const VALUES_MAX = 4_096;
/** Bytes that an encoding made here may have. */
export const ENCODED_BYTES_MAX = 1_048_576;
/** Characters of a text, and digits of bytes, that are shown of one value. */
export const SHOWN_CHARACTERS_MAX = 4_096;
/** Characters of a foreign name that are shown, and of a text that an error repeats. */
export const NAME_CHARACTERS_MAX = 80;
