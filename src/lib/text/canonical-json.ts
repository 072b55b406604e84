/**
 * JSON in which the members of every object are in the order of their names and those that are
 * `undefined` are left out: equal for equal values, however they were put together. For plain data.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(inOrder(value))

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const members = value as Readonly<Record<string, unknown>>
  const names = Object.keys(members).toSorted()
  // Assigned one by one, a member called __proto__ would be lost.
  return Object.fromEntries(names.map((name) => [name, inOrder(members[name])]))
}
