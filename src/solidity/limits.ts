/** The bounds of what is read here. Those of the node lie elsewhere: they ask its machine, which a browser can't. */

/** Depth of nested types of an interface. */
export const ABI_DEPTH_MAX = 16;
/** Parameters of one function, error or event, those of its tuples included. */
export const ABI_PARAMETERS_MAX = 256;
/** Values that are decoded of one encoding, arrays and tuples counted as well. */
export const ABI_VALUES_MAX = 4_096;
/** Characters of a type's name that an error repeats. */
export const SHOWN_TYPE_CHARACTERS_MAX = 80;
