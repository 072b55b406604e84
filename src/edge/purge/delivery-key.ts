import { allTransformParameters } from '../../domain/media/recipe/transform-parameters.ts'
import { cacheKeyOf } from './cache-key.ts'

const recipe = allTransformParameters.map(({ name }) => name)

/**
 * The parameters that what the delivery plane makes depends on. Whatever else is in a query it ignores,
 * and so must the key: everybody could have the same image stored any number of times.
 */
export const parametersByPath: Readonly<Record<string, ReadonlySet<string>>> = {
  '/api/transform': new Set([
    'url',
    'v',
    'fallback',
    'download',
    'filename',
    'onerror',
    't',
    ...recipe,
  ]),
  '/api/auto': new Set(['path', ...recipe]),
  '/iiif/3': new Set(),
  '/api/picture': new Set(['path', 't', 'sizes', 'lang']),
  '/api/stream': new Set(['path', 'video', 'quality', 'segment', 'init', 'v', 'expires', 'sig']),
  '/api/stream/thumbnails': new Set(['path', 'v', 'expires', 'sig']),
}

/** The primary key of a URL of the delivery plane; of any other {@link cacheKeyOf}. */
export function deliveryKeyOf(url: string): string {
  const key = cacheKeyOf(url)
  const mark = key.indexOf('?')
  if (mark < 0) return key
  const known = knownAt(key.slice(key.indexOf('/', key.indexOf('://') + 3), mark))
  if (known === undefined) return key
  const parts = key.slice(mark + 1).split('&')
  if (parts.every((part) => isKnown(part, known))) return key
  const kept = parts.filter((part) => isKnown(part, known))
  return kept.length === 0 ? key.slice(0, mark) : `${key.slice(0, mark)}?${kept.join('&')}`
}

const knownAt = (path: string): ReadonlySet<string> | undefined =>
  parametersByPath[path] ??
  (path.startsWith('/api/auto/') ? parametersByPath['/api/auto'] : undefined) ??
  (path.startsWith('/iiif/3/') ? parametersByPath['/iiif/3'] : undefined)

/** A name that is spelled in escapes is read as it will be read. */
function isKnown(part: string, known: ReadonlySet<string>): boolean {
  const equals = part.indexOf('=')
  const name = equals < 0 ? part : part.slice(0, equals)
  if (!/[%+]/u.test(name)) return known.has(name)
  const [[decoded = ''] = []] = new URLSearchParams(part)
  return known.has(decoded)
}

/** So many are told of, each of at most so many characters. */
const maxUnknown = 5
const tellableName = /^[\w.-]{1,32}$/u

/** Names of parameters that a transform knows nothing of: likely misspelled, or another service's. */
export function unknownParameters(url: string): readonly string[] {
  const mark = url.indexOf('?')
  const path = url.indexOf('/', url.indexOf('://') + 3)
  if (mark < 0 || !url.startsWith('/api/transform?', path)) return []
  const known = parametersByPath['/api/transform']
  const parts = url.slice(mark + 1).split('&', maxParts)
  if (known === undefined || parts.every((part) => part === '' || isKnown(part, known))) return []
  const names = new Set(parts.map((part) => part.split('=', 1)[0] ?? ''))
  return [...names]
    .filter((name) => tellableName.test(name) && !known.has(name))
    .slice(0, maxUnknown)
}

const maxParts = 100
