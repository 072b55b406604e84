/**
 * The `limit` largest of `items`, and the rest. Of equals those that come first are kept. Both parts
 * are in the order of size.
 */
export function keepLargest<Item>(
  items: readonly Item[],
  limit: number,
  sizeOf: (item: Item) => number,
): { readonly kept: readonly Item[]; readonly rest: readonly Item[] } {
  const sorted = items.toSorted((a, b) => sizeOf(b) - sizeOf(a))
  return { kept: sorted.slice(0, limit), rest: sorted.slice(limit) }
}
