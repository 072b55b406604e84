/** A name of a `_transforms` file, with what it stands for. */
export interface NamedTransform {
  readonly name: string
  /** As the query of a URL has them. */
  readonly parameters: Readonly<Record<string, string>>
  /** Whether it is the zone's, not one of all zones. */
  readonly isOwn: boolean
}

/** As the service takes it. */
export const namePattern = /^[a-z][a-z0-9-]{0,39}$/u

/** The lines of a `_transforms` file that have a name and parameters; of one name the first counts. */
export function readTransforms(content: string): ReadonlyMap<string, NamedTransform['parameters']> {
  const parametersByName = new Map<string, NamedTransform['parameters']>()
  for (const line of content.split('\n')) {
    const [text = ''] = ` ${line}`.split(/\s#/u, 1)
    const [name = '', ...pairs] = text.trim().split(/\s+/u)
    if (!namePattern.test(name) || pairs.length === 0 || parametersByName.has(name)) continue
    parametersByName.set(name, Object.fromEntries(new URLSearchParams(pairs.join('&'))))
  }
  return parametersByName
}

/** The file with one more line. */
export function withTransform(
  content: string,
  name: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const pairs = Object.entries(parameters).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [`${key}=${encodeURIComponent(value)}`],
  )
  const before = content === '' || content.endsWith('\n') ? content : `${content}\n`
  return `${before}${name}  ${pairs.join(' ')}\n`
}
