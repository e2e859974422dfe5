/** Bounds of this folder, apart from those of the node, which depend on its machine: browsers use these. */

/** Maximum depth of nested types. */
export const ABI_DEPTH_MAX = 16;
/** Maximum parameters of a function, an error or an event, including members of tuples. */
export const ABI_PARAMETERS_MAX = 256;
/** Maximum values of an encoding, including arrays and tuples. */
export const ABI_VALUES_MAX = 4_096;
/** Maximum characters of a type name in an error. */
export const SHOWN_TYPE_CHARACTERS_MAX = 80;
