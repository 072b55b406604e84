/** What is wrong with the name of a new zone; `undefined` where the service will take it, or has to say. */
export function faultOfZoneName(name: string): string | undefined {
  if (/[A-Z]/u.test(name)) return 'Lower-case letters only.'
  const wrong = /[^a-z0-9-]/u.exec(name)?.[0]
  if (wrong !== undefined)
    return `Only letters, digits and hyphens: ${wrong === ' ' ? 'a blank' : wrong} cannot be in it.`
  if (name.length > 64) return 'At most 64 characters.'
  return name.length === 1 ? 'At least 2 characters.' : undefined
}
