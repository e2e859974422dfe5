/**
 * Whether a client that holds so many places of a table may have so many more. It may have as many as are left for
 * all others then, so that no client takes the last ones: alone it gets half, and each further one half of the rest.
 */
export function mayHaveMore(held: number, more: number, heldByAll: number, most: number): boolean {
  return held + more <= most - heldByAll - more;
}
