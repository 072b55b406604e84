import { hostPrefix } from './pattern.ts'

/** A path or URL of a rule, normalised as a browser would, or why it will not do. */
export type RuleUrl = { readonly url: string } | { readonly reason: string }

interface Parts {
  readonly host: string
  readonly rest: string
}

/** The path a block of header fields is for: a path, or `https://host/path`. Query and fragment are cut. */
export function readHeaderUrl(text: string): RuleUrl {
  const absolute = splitHost(text)
  if (absolute === undefined) return readPath(text)
  if (/:\d+$/u.test(absolute.host))
    return { reason: 'names a port; rules look at host names alone, so leave it out' }
  return { url: `${hostPrefix}${lowerHost(absolute.host)}${pathnameOf(absolute.rest)}` }
}

/** Where a redirect starts: a path alone; a missing slash is added, query and fragment are cut. */
export function readSource(text: string): RuleUrl {
  if (splitHost(text) !== undefined)
    return { reason: 'must start at a path such as /old, not at a whole address' }
  return readPath(text.startsWith('/') ? text : `/${text}`)
}

/** Where a redirect goes: a path or an `https://` URL, with its query and fragment. */
export function readTarget(text: string): RuleUrl {
  const absolute = splitHost(text)
  if (absolute === undefined) return readPath(text, urlOf)
  return { url: `${hostPrefix}${absolute.host}${urlOf(absolute.rest)}` }
}

export const hasHost = (url: string): boolean => splitHost(url) !== undefined

function readPath(text: string, read = pathnameOf): RuleUrl {
  if (text.startsWith('/')) return { url: read(text) }
  return { reason: 'must be a path that begins with / or a URL that begins with https://' }
}

function splitHost(text: string): Parts | undefined {
  const match = /^https:\/\/+(?<host>[^/]+)\/?(?<rest>.*)$/u.exec(text)?.groups
  return match && { host: match['host'] ?? '', rest: match['rest'] ?? '' }
}

/** Host names have no case, placeholders have. */
const lowerHost = (host: string): string =>
  host.replaceAll(/:[A-Za-z]\w*|[^:]+/gu, (part) =>
    part.startsWith(':') ? part : part.toLowerCase(),
  )

const pathnameOf = (path: string): string => parse(path).pathname

function urlOf(path: string): string {
  const { pathname, search, hash } = parse(path)
  return `${pathname}${search}${hash}`
}

/** A scheme that is no web scheme, so that a path that begins with // stays a path. */
const parse = (path: string): URL =>
  new URL(`//${path.startsWith('/') ? path : `/${path}`}`, 'relative://')
