/**
 * JSON in which the members of every object are in the order of their names and those that are
 * `undefined` are left out: equal for equal values, however they were put together. For plain data.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(inOrder(value))

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const members = value as Readonly<Record<string, unknown>>
  const ordered: Record<string, unknown> = {}
  for (const name of Object.keys(members).toSorted()) ordered[name] = inOrder(members[name])
  return ordered
}
