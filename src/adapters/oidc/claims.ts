type Claims = Readonly<Record<string, unknown>>

const maxTextLength = 255
const maxGroups = 1000

/** A claim that is text of a reasonable length, on one line. */
export function claimText(claims: Claims, name: string): string | undefined {
  const value = claims[name]
  if (typeof value !== 'string' || value === '' || value.length > maxTextLength) return undefined
  return /\p{Cc}/u.test(value) ? undefined : value
}

/** The groups that a claim has: texts, or one of them; `undefined` where there is no such claim. */
export function groupsOf(claims: Claims, path: string): readonly string[] | undefined {
  const value = Object.hasOwn(claims, path) ? claims[path] : valueAt(claims, path.split('.'))
  if (value === undefined || value === null) return undefined
  const groups: readonly unknown[] = Array.isArray(value) ? value.slice(0, maxGroups) : [value]
  return groups.filter(
    (group): group is string => typeof group === 'string' && group.length <= maxTextLength,
  )
}

function valueAt(claims: unknown, names: readonly string[]): unknown {
  let value = claims
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Claims)[name]
  }
  return value
}
