import { namedVersionIn } from '../../content/past/version-names.ts'
import { ServiceError } from '../../errors.ts'
import { readNamedPath } from './named-path.ts'
import type { FoundTransform, NamedTransforms } from './named-transforms.ts'
import { nameIn, nameParameter } from './parse-transforms.ts'

export interface ExplainedTransform {
  readonly transform: FoundTransform
  /** All parameters that come of it. */
  readonly query: URLSearchParams
}

/**
 * The named transform that an absolute URL asks for, in its query or at the end of its path; `undefined`
 * where there is none. `hostZone` is the zone whose own the host name is.
 */
export function explainTransform(
  url: string,
  named: NamedTransforms,
  hostZone: string | undefined,
): ExplainedTransform | undefined {
  const asked = askedBy(new URL(url))
  if (asked === undefined) return undefined
  const zone = hostZone ?? zoneIn(asked.asset)
  try {
    const name = nameIn(asked.query)
    const transform = name === undefined ? undefined : named.find(name, zone)
    if (transform === undefined) return undefined
    const { query } = named.read(asked.query, zone)
    for (const other of ['url', 'path', 'v', 'fallback', 'download']) query.delete(other)
    return { transform, query }
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

function askedBy({ pathname, searchParams }: URL) {
  const asset = searchParams.get('url')
  if (asset !== null) return { asset, query: searchParams }
  const path = readNamedPath(decoded(pathname).slice(1))
  if (path === undefined) return undefined
  const parameters = [...searchParams, [nameParameter, path.name], ['format', path.format]]
  return { asset: path.asset, query: new URLSearchParams(parameters) }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

const zoneIn = (asset: string): string => {
  const { text } = namedVersionIn(asset)
  const path = /^https?:/u.test(text) ? (URL.parse(text)?.pathname ?? '') : text
  return /^\/?(?:clients\/)?([^/]*)/u.exec(path)?.[1] ?? ''
}
