import { hostPrefix } from './pattern.ts'

/** A path or URL of a rule, normalised as a browser would, or why it will not do. */
export type RuleAddress = { readonly address: string } | { readonly reason: string }

interface Parts {
  readonly host: string
  readonly rest: string
}

/** The path a block of header fields is for: a path, or `https://host/path`. Query and fragment are cut. */
export function readHeaderAddress(text: string): RuleAddress {
  const absolute = splitHost(text)
  if (absolute === undefined) return readPath(text)
  if (/:\d+$/u.test(absolute.host))
    return { reason: 'names a port; rules look at host names alone, so leave it out' }
  return { address: `${hostPrefix}${lowerHost(absolute.host)}${pathnameOf(absolute.rest)}` }
}

/** Where a redirect starts: a path alone; a missing slash is added, query and fragment are cut. */
export function readSource(text: string): RuleAddress {
  if (splitHost(text) !== undefined)
    return { reason: 'must start at a path such as /old, not at a whole address' }
  return readPath(text.startsWith('/') ? text : `/${text}`)
}

/** Where a redirect goes: a path or an `https://` address, with its query and fragment. */
export function readTarget(text: string): RuleAddress {
  const absolute = splitHost(text)
  if (absolute === undefined) return readPath(text, addressOf)
  return { address: `${hostPrefix}${absolute.host}${addressOf(absolute.rest)}` }
}

export const hasHost = (address: string): boolean => splitHost(address) !== undefined

function readPath(text: string, read = pathnameOf): RuleAddress {
  if (text.startsWith('/')) return { address: read(text) }
  return { reason: 'must be a path that begins with / or an address that begins with https://' }
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

function addressOf(path: string): string {
  const { pathname, search, hash } = parse(path)
  return `${pathname}${search}${hash}`
}

/** A scheme that is no web scheme, so that a path that begins with // stays a path. */
const parse = (path: string): URL =>
  new URL(`//${path.startsWith('/') ? path : `/${path}`}`, 'relative://')
