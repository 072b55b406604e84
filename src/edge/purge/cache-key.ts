/** The parts of a request's address that purges speak of. */
export interface KeyParts {
  readonly host: string
  /** Begins with `/`, without query. */
  readonly path: string
  /** With its `?`, or `''`. */
  readonly query: string
}

/**
 * The primary key of an absolute URL: without fragment, and with percent-encoding in its normal form
 * (RFC 3986 §6.2.2), so that `%7e` and `~` are one address. Everything else stays as it is.
 */
export function cacheKeyOf(url: string): string {
  const hash = url.indexOf('#')
  const address = hash === -1 ? url : url.slice(0, hash)
  return address.includes('%') ? normalizeEscapes(address) : address
}

export function keyPartsOf(key: string): KeyParts {
  const authority = key.indexOf('://') + 3
  const slash = key.indexOf('/', authority)
  const end = slash === -1 ? key.length : slash
  const mark = key.indexOf('?', end)
  const pathEnd = mark === -1 ? key.length : mark
  return {
    host: hostnameOf(key.slice(authority, end)),
    path: key.slice(end, pathEnd) || '/',
    query: key.slice(pathEnd),
  }
}

/** A purge's URL, absolute or a path, as {@link KeyParts}; `undefined` where it is neither. */
export function partsOfPurgedUrl(url: string): KeyParts | undefined {
  const parsed = URL.parse(url, 'http://any.invalid')
  return parsed === null ? undefined : keyPartsOf(cacheKeyOf(parsed.href))
}

const hostnameOf = (authority: string): string => authority.replace(/:\d*$/u, '').toLowerCase()

const normalizeEscapes = (text: string): string =>
  text.replace(/%[0-9a-f]{2}/giu, (escape) => {
    const character = String.fromCodePoint(Number.parseInt(escape.slice(1), 16))
    return /[A-Za-z0-9\-._~]/u.test(character) ? character : escape.toUpperCase()
  })
