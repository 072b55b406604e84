import { hostnameIn } from '../../http/request/host-field.ts'

/** A request's URL, taken apart without a URL object: this runs for every answer that is not hot. */
export interface RequestTarget {
  /** Lower case, without the port and a dot at its end; an IPv6 address in brackets. */
  readonly hostname: string
  /** With its port where it is not the scheme's own, as clients must write it to come back here. */
  readonly host: string
  readonly scheme: string
  /** Begins with `/`, still percent-encoded. Bun has resolved `.` and `..` and turned `\` into `/`. */
  readonly path: string
  /** With its `?`, or `''`. */
  readonly query: string
}

/**
 * Reads `request.url`. `undefined` where Host was malformed: Bun then leaves the path alone there (and
 * for HTTP/1.0 without Host, which is legal: `fallbackHost` answers for those).
 */
export function readTarget(url: string, fallbackHost?: string): RequestTarget | undefined {
  if (url.startsWith('/'))
    return fallbackHost === undefined ? undefined : readTarget(`http://${fallbackHost}${url}`)
  const hostStart = url.indexOf('://') + 3
  const pathStart = url.indexOf('/', hostStart)
  if (hostStart < 3 || pathStart <= hostStart) return undefined
  const host = url.slice(hostStart, pathStart)
  const hostname = hostnameIn(host)
  if (hostname === undefined) return undefined
  const scheme = url.slice(0, hostStart - 3)
  return { hostname, host, scheme, ...splitQuery(url.slice(pathStart)) }
}

function splitQuery(rest: string): { path: string; query: string } {
  const fragment = rest.indexOf('#')
  const sent = fragment < 0 ? rest : rest.slice(0, fragment)
  const mark = sent.indexOf('?')
  return mark < 0
    ? { path: sent, query: '' }
    : { path: sent.slice(0, mark), query: sent.slice(mark) }
}

/**
 * A path in its one spelling: each segment decoded once and encoded again, runs of slashes made one.
 * `decoded` is what to look up, without the first slash; `undefined` where an escape is malformed.
 */
export function canonicalPath(
  path: string,
): { readonly encoded: string; readonly decoded: string } | undefined {
  if (plainPath.test(path)) return { decoded: path.slice(1), encoded: path }
  try {
    const decoded = path
      .split('/')
      .map(decodeURIComponent)
      .join('/')
      .replaceAll(/\/{2,}/gu, '/')
    return {
      decoded: decoded.slice(1),
      // A leading @ marks a version and is no part of a name.
      encoded: decoded
        .split('/')
        .map(encodeURIComponent)
        .join('/')
        .replace(/^\/%40/u, '/@'),
    }
  } catch {
    return undefined
  }
}

/** Spelled as it is meant. Nearly all paths are such, and to decode and encode them takes a microsecond. */
const plainPath = /^(?:\/[\w.-]+)+$/u
